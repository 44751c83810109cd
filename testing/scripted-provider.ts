import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { TITLE_MARKER } from "../server/models/title-prompt.ts";
import {
  type HeldCommand,
  isScenario,
  type Scenario,
  type ScriptedAnswer,
  scenarios,
} from "./scripted-provider-scenarios.ts";
import { anthropicWire, openAiWire, type WireEnd } from "./scripted-provider-wire.ts";

export type { Scenario } from "./scripted-provider-scenarios.ts";

type ScriptedMessage = { role: string; content: string };

/** A call that the provider got. */
export type ScriptedRequest = {
  kind: "chat" | "title" | "models";
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Record<string, unknown>;
  model: string;
  system: string;
  /** Questions and answers, without the system prompt. */
  messages: ScriptedMessage[];
  scenario: Scenario;
  /** Whether the client left before the answer was whole. */
  isAborted: boolean;
  /** Settles once the answer is whole or the client has gone. */
  closed: Promise<void>;
};

/** What held replies wait for, and those that wait. */
type Held = { commands: HeldCommand[]; waiting: ((command: HeldCommand | undefined) => void)[] };

const MARKER = /\[scenario:([a-z-]+)(?::([^\]]*))?\]/;

/**
 * A real HTTP server that speaks OpenAI's chat completions (with the list of models) and Anthropic's messages. What it
 * does is told by `next`, else by a marker such as `[scenario:slow]` or `[scenario:long:500]` in the last question,
 * else by `scenario`. Requests for titles are told from chats, answered and counted apart.
 */
export class ScriptedProvider implements AsyncDisposable {
  scenario: Scenario = "fast";
  reply: string | ((request: ScriptedRequest) => string) = "Hello! This is a scripted reply, told in a few words.";
  title = "A fitting title";
  titleScenario: Scenario = "fast";
  /** Between two words of `slow`. */
  paceMs = 30;
  /** What `GET models` lists; `undefined`: 404. */
  models: readonly (string | Record<string, unknown>)[] | undefined = ["llama3.2:3b", "qwen3:8b"];
  /** Takes requests of every kind and never answers. */
  isHanging = false;
  readonly requests: ScriptedRequest[] = [];
  readonly #queue: Scenario[] = [];
  readonly #server = createServer((request, response) => this.#take(request, response));
  readonly #arrivals = new Set<() => void>();
  #held: Held = { commands: [], waiting: [] };

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** For OPENAI_BASE_URL, ANTHROPIC_BASE_URL and LOCAL_BASE_URL alike. */
  get baseUrl(): string {
    return `${this.url}/v1`;
  }

  get chats(): ScriptedRequest[] {
    return this.requests.filter(({ kind }) => kind === "chat");
  }

  get titles(): ScriptedRequest[] {
    return this.requests.filter(({ kind }) => kind === "title");
  }

  /** Scenarios of the coming chat requests, one each. */
  next(...coming: Scenario[]): void {
    this.#queue.push(...coming);
  }

  /** The nth chat request (from 1) as soon as it is there. */
  async chat(count: number): Promise<ScriptedRequest> {
    for (;;) {
      const request = this.chats[count - 1];
      if (request) return request;
      await new Promise<void>((resolve) => this.#arrivals.add(resolve));
    }
  }

  /** Goes on with the scenario `held`; what is said before its request comes waits for it. */
  release(text: string): void {
    this.#command({ do: "text", text });
  }
  think(text: string): void {
    this.#command({ do: "reasoning", text });
  }
  ping(): void {
    this.#command({ do: "ping" });
  }
  finish(reason: WireEnd = "complete"): void {
    this.#command({ do: "finish", reason });
  }
  breakOff(): void {
    this.#command({ do: "break-off" });
  }
  failMidStream(): void {
    this.#command({ do: "error" });
  }

  /** As it was made: nothing that a test told it or left behind reaches the next one. */
  reset(): void {
    this.scenario = "fast";
    this.reply = "Hello! This is a scripted reply, told in a few words.";
    this.title = "A fitting title";
    this.titleScenario = "fast";
    this.isHanging = false;
    this.requests.length = 0;
    this.#queue.length = 0;
    // A new one, as what was held before still waits by the former.
    this.#held = { commands: [], waiting: [] };
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
  }

  /** Also stands for an outage: refuses connections from now on. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  #command(command: HeldCommand): void {
    const waiting = this.#held.waiting.shift();
    if (waiting) waiting(command);
    else this.#held.commands.push(command);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const record = await this.#record(request, response);
      if (this.isHanging) return;
      if (record.kind === "models") this.#answerModels(response);
      else if (!/\/(chat\/completions|messages)$/.test(record.path)) response.writeHead(404).end();
      else await scenarios[record.scenario](this.#answer(record, response));
    } catch {
      // The client has gone; the record says so.
      response.destroy();
    }
  }

  async #record(request: IncomingMessage, response: ServerResponse): Promise<ScriptedRequest> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const path = request.url ?? "/";
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString("utf8")) : {};
    const all: ScriptedMessage[] = body.messages ?? [];
    const system = String(body.system ?? all.find(({ role }) => role === "system")?.content ?? "");
    const kind = request.method === "GET" ? "models" : system.startsWith(TITLE_MARKER) ? "title" : "chat";
    const messages = all.filter(({ role }) => role !== "system");
    const record: ScriptedRequest = {
      kind,
      path,
      headers: request.headers,
      body,
      model: String(body.model ?? ""),
      system,
      messages,
      scenario: kind === "chat" ? this.#scenarioFor(messages) : this.titleScenario,
      isAborted: false,
      closed: new Promise((resolve) => {
        response.once("close", () => {
          record.isAborted = !response.writableFinished;
          resolve();
        });
      }),
    };
    this.requests.push(record);
    for (const arrived of this.#arrivals) arrived();
    this.#arrivals.clear();
    return record;
  }

  #scenarioFor(messages: ScriptedMessage[]): Scenario {
    const queued = this.#queue.shift();
    if (queued) return queued;
    const name = MARKER.exec(lastQuestion(messages))?.[1];
    return name !== undefined && isScenario(name) ? name : this.scenario;
  }

  #answerModels(response: ServerResponse): void {
    if (!this.models) {
      response.writeHead(404).end();
      return;
    }
    const data = this.models.map((model) => ({
      object: "model",
      created: 1_760_000_000,
      owned_by: "library",
      ...(typeof model === "string" ? { id: model } : model),
    }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data }));
  }

  #answer(record: ScriptedRequest, response: ServerResponse): ScriptedAnswer {
    const isOpenAi = record.path.endsWith("/chat/completions");
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const held = this.#held;
    const untilGone = new Promise<void>((resolve) => gone.signal.addEventListener("abort", () => resolve()));
    return {
      wire: isOpenAi ? openAiWire : anthropicWire,
      isOpenAi,
      model: record.model,
      paceMs: this.paceMs,
      text: this.#textFor(record),
      argument: MARKER.exec(lastQuestion(record.messages))?.[2] ?? "",
      respond: (status, contentType, body, headers) => {
        response.writeHead(status, { "content-type": contentType, ...headers }).end(body);
      },
      begin: () => {
        response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
        response.flushHeaders();
      },
      write: async (part) => {
        gone.signal.throwIfAborted();
        // Each part leaves by itself, also where the socket is destroyed right after it.
        await Promise.race([new Promise((resolve) => response.write(part, resolve)), untilGone]);
      },
      pause: (ms) => delay(ms, undefined, { signal: gone.signal }),
      end: () => response.end(),
      destroy: () => response.destroy(),
      nextCommand: async () => {
        const command = await nextCommand(held, gone.signal);
        if (!command) throw new Error("The client has gone");
        return command;
      },
      untilClientLeaves: () => untilGone,
    };
  }

  #textFor(record: ScriptedRequest): string {
    if (record.kind === "title") return this.title;
    if (record.scenario === "echo") return JSON.stringify({ system: record.system, messages: record.messages });
    return typeof this.reply === "string" ? this.reply : this.reply(record);
  }
}

/** `undefined` once the client has gone. */
function nextCommand({ commands, waiting }: Held, gone: AbortSignal): Promise<HeldCommand | undefined> {
  if (gone.aborted) return Promise.resolve(undefined);
  const command = commands.shift();
  if (command) return Promise.resolve(command);
  return new Promise((resolve) => {
    waiting.push(resolve);
    gone.addEventListener("abort", () => {
      const index = waiting.indexOf(resolve);
      if (index !== -1) waiting.splice(index, 1);
      resolve(undefined);
    });
  });
}

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const provider = new ScriptedProvider();
  await provider.listen();
  return provider;
}

function lastQuestion(messages: readonly ScriptedMessage[]): string {
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}
