import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { REPLIES_AT_ONCE } from "#contract/limits.ts";
import { type MeasuredProcess, startYardstick } from "./measured-process.ts";
import { multiplyAccount } from "./multiply-account.ts";
import { type MeasuredParley, post, signUp, startParley } from "./parley.ts";

/** A server that forwards the stream of the word source. */
export type StreamingServer = AsyncDisposable & {
  name: string;
  process: MeasuredProcess;
  /** Requests a stream on a new connection. `index`: number of the reader. */
  open(index: number): Promise<IncomingMessage>;
};

/** `reasoningWords`: words of reasoning that precede the text of each reply. */
export type WordSettings = { words: number; paceMs: number; reasoningWords?: number; isStamped?: boolean };

/** Starts the scripted provider. @returns the process and its URL */
export async function startWordSource({ words, paceMs, reasoningWords = 0, isStamped = false }: WordSettings) {
  return startYardstick("word-source", {
    WORDS: String(words),
    PACE_MS: String(paceMs),
    REASONING_WORDS: String(reasoningWords),
    ...(isStamped && { STAMPED: "1" }),
  });
}

export type StreamingParley = StreamingServer & { parley: MeasuredParley };

/** Starts Parley with this many chats, and with enough accounts to stream in all of them at once. */
export async function startStreamingParley(
  sourceUrl: string,
  chats: number,
  postgresUrl?: string,
): Promise<StreamingParley> {
  const parley = await startParley({
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${sourceUrl}/v1`,
    DAILY_REPLIES_PER_USER: "1000000",
    SHUTDOWN_GRACE_MS: "100",
    ...(postgresUrl !== undefined && { DATABASE_URL: postgresUrl }),
  });
  await signUp(parley);
  const tokens = await multiplyAccount({ ...parley, postgresUrl }, Math.ceil(chats / REPLIES_AT_ONCE));
  const opened: { id: string; token: string }[] = [];
  for (let index = 0; index < chats; index++) {
    const token = tokens[index % tokens.length] ?? "";
    const { id } = (await post(parley.url, "/chat", {}, token)) as { id: string };
    opened.push({ id, token });
  }
  const body = JSON.stringify({ message: "Words, please", model: "GPT:gpt-5" });
  return {
    name: "Parley",
    parley,
    process: parley.process,
    open: (index) => {
      const { id, token } = opened[index] ?? { id: "", token: "" };
      return ask(`${parley.url}/api/chat/${id}/send?stream=1`, body, { authorization: `Bearer ${token}` });
    },
    [Symbol.asyncDispose]: () => parley[Symbol.asyncDispose](),
  };
}

/** Starts a yardstick: a raw pipe, or a server written by the AI SDK's guide. */
export async function startPipe(name: "raw pipe" | "AI SDK", sourceUrl: string): Promise<StreamingServer> {
  const server = await startYardstick(name === "raw pipe" ? "raw-pipe" : "ai-sdk", { SOURCE: sourceUrl });
  return { name, ...server, open: () => ask(server.url, "{}") };
}

async function ask(url: string, body: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const asked = request(url, {
    method: "POST",
    agent: false,
    headers: { "content-type": "application/json", ...headers },
  });
  asked.end(body);
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
  return response.setEncoding("latin1").on("error", () => undefined);
}
