import { isDeepStrictEqual } from "node:util";
import type { AnswerWriter } from "./answer-writer.ts";
import { type ChatDialect, chatDialectWire, openAiChatWire, openAiModelList } from "./openai/openai-chat-wire.ts";
import { refuseSummary } from "./openai/openai-limits.ts";
import { lastQuestion, type ProviderRequest } from "./provider-request.ts";
import { ProviderServer } from "./provider-server.ts";
import { type HeldCommand, isScenario, type Scenario, scenarios } from "./scenarios.ts";
import {
  type AnswerEncoder,
  type Charges,
  DEFAULT_TOKENS,
  type ErrorAnswer,
  type PromptMessage,
  type Wire,
  type WireCall,
  type WireEnd,
  type WireTokens,
} from "./wire.ts";

export type { Scenario } from "./scenarios.ts";

/** A request that the scripted provider received, with the scenario that answers it. */
export type ScriptedRequest = ProviderRequest & { scenario: Scenario };

/** Commands that no held reply has taken, and held replies that wait for a command. */
type Held = {
  commands: HeldCommand[];
  waiting: ((command: HeldCommand) => void)[];
  /** Called when another held reply begins to wait. */
  observers: Set<() => void>;
};

const MARKER = /\[scenario:([a-z-]+)(?::([^\]]*))?\]/;
const DEFAULT_REPLY = "Hello! This is a scripted reply, told in a few words.";
const DEFAULT_TITLE = "A fitting title";

/**
 * The provider of tests. A chat is answered by the scenario from `next`, else from a marker in the last question such
 * as `[scenario:slow]` or `[scenario:long:500]`, else from `scenario`. Title requests are answered by `titleScenario`
 * and counted apart.
 */
export class ScriptedProvider extends ProviderServer {
  scenario: Scenario = "fast";
  reply: string | ((request: ScriptedRequest) => string) = DEFAULT_REPLY;
  /** Calls of tools with which an answer ends. */
  calls: (request: ScriptedRequest) => readonly WireCall[] = () => [];
  /** Events before the end of an answer, as they are on the wire. */
  events: (request: ScriptedRequest) => string = () => "";
  title = DEFAULT_TITLE;
  titleScenario: Scenario = "fast";
  /** Server whose form of chat completions is imitated. */
  chatDialect: ChatDialect = "openai";
  /** `false`: refuses summaries of reasoning, as OpenAI does for organisations that it has not verified. */
  isVerified = true;
  /** Refuses requests for other reasons than the real API would; `undefined`: it answers. */
  refuse: (request: ProviderRequest) => ErrorAnswer | undefined = () => undefined;
  /** Token counts of every answer, or a function that is called once for each. */
  tokens: WireTokens | ((request: ScriptedRequest) => WireTokens) = DEFAULT_TOKENS;
  /** Pause between two words of `slow`. */
  paceMs = 30;
  /** The list of models; `undefined`: the server is overloaded (503). */
  models: readonly (string | Record<string, unknown>)[] | undefined = ["llama3.2:3b", "qwen3:8b"];
  /** Accepts requests of every kind and never answers. */
  isHanging = false;
  readonly requests: ScriptedRequest[] = [];
  /** The answers whose token counts it has sent, by its names of the models. */
  readonly charged: { model: string; charges: Charges }[] = [];
  readonly #queue: Scenario[] = [];
  readonly #arrivals = new Set<() => void>();
  #held: Held = { commands: [], waiting: [], observers: new Set() };

  constructor() {
    super((request, answer) => this.#play(request, answer));
  }

  get chats(): ScriptedRequest[] {
    return this.requests.filter(({ kind }) => kind === "chat");
  }

  get titles(): ScriptedRequest[] {
    return this.requests.filter(({ kind }) => kind === "title");
  }

  /** Queues scenarios for the next chat requests, one each. */
  next(...coming: Scenario[]): void {
    this.#queue.push(...coming);
  }

  /** Resolves with the nth chat request (from 1) when it has arrived. */
  async chat(count: number): Promise<ScriptedRequest> {
    for (;;) {
      const request = this.chats[count - 1];
      if (request) return request;
      await new Promise<void>((resolve) => this.#arrivals.add(resolve));
    }
  }

  /**
   * Resolves once so many replies of the scenario `held` wait for a command. Commands given earlier may all be taken by
   * the first of them.
   */
  async untilHeld(count: number): Promise<void> {
    const { waiting, observers } = this.#held;
    while (waiting.length < count) await new Promise<void>((resolve) => observers.add(resolve));
  }

  /** Continues the scenario `held`. A command given before its request arrives is queued. */
  release(text: string): void {
    this.#command({ do: "text", text });
  }
  think(text: string): void {
    this.#command({ do: "reasoning", text });
  }
  /** Sends a picture. @param url its data URL */
  draw(url: string): void {
    this.#command({ do: "picture", url });
  }
  /** Sends events of the wire as they are. */
  emit(events: string): void {
    this.#command({ do: "events", events });
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

  /** Restores the defaults and drops requests, queued scenarios and commands, so that tests can share a provider. */
  reset(): void {
    this.scenario = "fast";
    this.reply = DEFAULT_REPLY;
    this.calls = () => [];
    this.events = () => "";
    this.title = DEFAULT_TITLE;
    this.titleScenario = "fast";
    this.chatDialect = "openai";
    this.isVerified = true;
    this.refuse = () => undefined;
    this.tokens = DEFAULT_TOKENS;
    this.isHanging = false;
    this.requests.length = 0;
    this.charged.length = 0;
    this.#queue.length = 0;
    // A new object: replies that are still held keep waiting at the former one and take no command of the next test.
    this.#held = { commands: [], waiting: [], observers: new Set() };
  }

  #command(command: HeldCommand): void {
    const waiting = this.#held.waiting.shift();
    if (waiting) waiting(command);
    else this.#held.commands.push(command);
  }

  async #play(received: ProviderRequest, answer: AnswerWriter): Promise<void> {
    if (received.wire && isDeepStrictEqual(received.body, {})) {
      // A probe of the path.
      answer.respond(400, "application/json", NO_MODEL);
      return;
    }
    const scenario = received.kind === "chat" ? this.#scenarioFor(received.messages) : this.titleScenario;
    // The same object, as `isAborted` changes when the connection closes.
    const request: ScriptedRequest = Object.assign(received, { scenario });
    this.requests.push(request);
    for (const arrived of this.#arrivals) arrived();
    this.#arrivals.clear();
    if (this.isHanging) return;
    if (request.kind === "models") {
      if (this.models) answer.respond(200, "application/json", openAiModelList(this.models));
      else answer.respond(503);
      return;
    }
    const wire = this.#wireOf(request);
    if (!wire) {
      answer.respond(404);
      return;
    }
    const refusal =
      wire.refuse?.(request.body) ??
      (this.isVerified ? undefined : refuseSummary(request.body)) ??
      this.refuse(request);
    if (refusal) {
      answer.respond(refusal.status, "application/json", refusal.body);
      return;
    }
    const held = this.#held;
    await scenarios[scenario]({
      answer,
      wire,
      encoder: this.#encoderFor(wire, request),
      paceMs: this.paceMs,
      text: this.#textFor(request),
      calls: request.kind === "chat" ? this.calls(request) : [],
      events: request.kind === "chat" ? this.events(request) : "",
      argument: MARKER.exec(lastQuestion(request.messages))?.[2] ?? "",
      nextCommand: () => nextCommand(held, request.signal),
    });
  }

  /** Returns an encoder that records the charges when it encodes the token counts. */
  #encoderFor(wire: Wire, request: ScriptedRequest): AnswerEncoder {
    const { model } = request;
    const encoder = wire.encodeAnswer(model, typeof this.tokens === "function" ? this.tokens(request) : this.tokens);
    const finish = (reason: WireEnd) => {
      this.charged.push({ model, charges: encoder.charges });
      return encoder.finish(reason);
    };
    return { ...encoder, finish };
  }

  #wireOf({ wire }: ProviderRequest): Wire | undefined {
    return wire === openAiChatWire ? chatDialectWire(this.chatDialect) : wire;
  }

  #scenarioFor(messages: readonly PromptMessage[]): Scenario {
    const queued = this.#queue.shift();
    if (queued) return queued;
    const name = MARKER.exec(lastQuestion(messages))?.[1];
    return name !== undefined && isScenario(name) ? name : this.scenario;
  }

  #textFor(request: ScriptedRequest): string {
    if (request.kind === "title") return this.title;
    if (request.scenario === "echo") return JSON.stringify({ system: request.system, messages: request.messages });
    return typeof this.reply === "string" ? this.reply : this.reply(request);
  }
}

/** Rejects when `signal` is aborted, so that a reply whose client has disconnected takes no command. */
async function nextCommand({ commands, waiting, observers }: Held, signal: AbortSignal): Promise<HeldCommand> {
  signal.throwIfAborted();
  const command = commands.shift();
  if (command) return command;
  return new Promise((resolve, reject) => {
    waiting.push(resolve);
    for (const observe of observers) observe();
    observers.clear();
    signal.addEventListener("abort", () => {
      const index = waiting.indexOf(resolve);
      if (index !== -1) waiting.splice(index, 1);
      reject(signal.reason);
    });
  });
}

const NO_MODEL = JSON.stringify({ error: { message: "you must provide a model", type: "invalid_request_error" } });

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const provider = new ScriptedProvider();
  await provider.listen();
  return provider;
}
