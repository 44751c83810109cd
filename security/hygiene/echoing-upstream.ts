import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { API_BASE, paths } from "#contract/paths.ts";
import { databaseRows } from "../clients/database-dump.ts";
import { signUp } from "../clients/person.ts";
import type { Part } from "../part.ts";
import { newChat } from "../routes/route-ground.ts";

const KEYS = { openai: "sk-echo-canary-of-openai-0123456789", anthropic: "sk-ant-echo-canary-of-anthropic-98765" };
const PIECES = [1, 2, 3, 7, 16, 1000];

/** I8: a provider that tells everything it was sent: its key must reach neither browsers nor logs nor the database. */
export const echoes: Part = {
  name: "echoes",
  async run({ report, startSite }) {
    await using upstream = await startEchoingUpstream();
    const base = `${upstream.url}/v1`;
    const env = {
      OPENAI_API_KEY: KEYS.openai,
      OPENAI_BASE_URL: base,
      ANTHROPIC_API_KEY: KEYS.anthropic,
      ANTHROPIC_BASE_URL: base,
    };
    await using site = await startSite({ env });
    await report.try("I8", "replies and errors that hold what the provider was sent, cut anywhere", async (trial) => {
      const ada = await signUp(site);
      const models = ["GPT:gpt-5-mini", "CLAUDE:claude-sonnet-4-5-20250929", undefined];
      for (const model of models) {
        for (const answer of [...PIECES.map((size) => `pieces ${size}`), ...ERRORS]) {
          const path = API_BASE + paths.chatSend(await newChat(site, ada));
          const body = { message: `[${answer}]`, ...(model && { model }) };
          for (const query of ["", "?stream=true"]) {
            const told = await site.send({ method: "POST", path: path + query, token: ada.token, body });
            const isHidden = !holdsKey(told.text + JSON.stringify(told.headers)) && !told.text.includes(upstream.url);
            trial.expect(isHidden, () => `${model} ${answer}: ${told.text.slice(0, 500)}`);
          }
        }
      }
      trial.expect(upstream.calls() > models.length * PIECES.length, "the provider was hardly asked");
      trial.expect(!holdsKey(JSON.stringify(await databaseRows(site))), "the database holds a key");
      trial.expect(!holdsKey(await site.logs()), "the log holds a key");
      const config = await Promise.all(
        [paths.authConfig, paths.models, paths.me].map((path) =>
          site.send({ path: API_BASE + path, token: ada.token }),
        ),
      );
      for (const { text: told } of config) trial.expect(!holdsKey(told) && !told.includes(upstream.url), () => told);
    });
  },
};

const holdsKey = (told: string) =>
  Object.values(KEYS).some((key) => told.includes(key) || told.includes(key.slice(0, 20)));

const ERRORS = ["error 400", "error 401", "error 500", "error in the stream", "a page"];

/** Its answers are told by the question's last brackets. */
async function startEchoingUpstream() {
  let calls = 0;
  const server = createServer((request, response) => {
    calls++;
    void echo(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const { authorization, "x-api-key": key } = request.headers;
  const sent = `authorization: ${authorization ?? ""}, x-api-key: ${key ?? ""}`;
  const [, answer = ""] = /\[([^\]]+)\][^[]*$/.exec(body) ?? [];
  const [, status] = /^error (\d+)/.exec(answer) ?? [];
  const problem = JSON.stringify({ error: { message: sent, type: sent, code: sent } });
  if (status) response.writeHead(Number(status), { "content-type": "application/json", "x-echo": sent }).end(problem);
  else if (answer === "a page") response.writeHead(200, { "content-type": "text/html" }).end(`<h1>${sent}</h1>`);
  else {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const size = Number(/^pieces (\d+)/.exec(answer)?.[1] ?? 5);
    const write = request.url?.endsWith("/messages") ? anthropicPiece : openAiPiece;
    for (let at = 0; at < sent.length; at += size) response.write(write(sent.slice(at, at + size)));
    if (answer.startsWith("error")) response.end(`data: ${problem}\n\n`);
    else response.end(request.url?.endsWith("/messages") ? anthropicEnd : openAiEnd);
  }
}

const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const openAiPiece = (content: string) => event({ choices: [{ index: 0, delta: { content } }] });
const openAiEnd = `${event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}data: [DONE]\n\n`;
const anthropicPiece = (words: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: words } });
const anthropicEnd =
  event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} }) + event({ type: "message_stop" });
