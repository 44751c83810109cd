import { stripedPng } from "../files/picture-encoders.ts";
import type { AnswerWriter } from "./answer-writer.ts";
import type { AnswerEncoder, Wire, WireCall, WireEnd, WireFailure } from "./wire.ts";

/** Everything that a scenario needs to answer one request. */
export type ScriptedReply = {
  readonly answer: AnswerWriter;
  readonly wire: Wire;
  readonly encoder: AnswerEncoder;
  /** Pause between two words of `slow`. */
  readonly paceMs: number;
  /** Text of the answer, in scenarios that do not make their own. */
  readonly text: string;
  /** Calls of tools with which the answer ends. */
  readonly calls: readonly WireCall[];
  /** Further events before the end of the answer. */
  readonly events: string;
  /** The part of the marker after the scenario's name, such as `500` in `[scenario:long:500]`. */
  readonly argument: string;
  /** Resolves with the next command of the test. Rejects if the client has disconnected. */
  nextCommand(): Promise<HeldCommand>;
};

/** A step of the scenario `held`, given by the test. */
export type HeldCommand =
  | { do: "text" | "reasoning"; text: string }
  | { do: "picture"; url: string }
  | { do: "events"; events: string }
  | { do: "ping" | "break-off" | "error" }
  | { do: "finish"; reason: WireEnd };

/** The picture of the scenario `picture`. */
export const SCRIPTED_PICTURE = stripedPng(12, 8);

export const dataUrlOf = (bytes: Buffer, type = "image/png") => `data:${type};base64,${bytes.toString("base64")}`;

type Play = (reply: ScriptedReply) => Promise<void> | void;

/** The ways in which the scripted provider can answer. Each part of a stream is flushed by itself. */
export const scenarios = {
  /** The whole text at once. */
  fast: (reply) => streamWords(reply),
  /** Word by word, `paceMs` apart. */
  slow: (reply) => streamWords(reply, { paceMs: reply.paceMs }),
  held,
  "error-before-first-word": (reply) => failBefore(reply, "server"),
  overloaded: (reply) => failBefore(reply, "overloaded"),
  "wrong-key": (reply) => failBefore(reply, "wrong-key"),
  "unknown-model": (reply) => failBefore(reply, "unknown-model"),
  "too-long": (reply) => failBefore(reply, "too-long"),
  "rate-limited": (reply) => failBefore(reply, "rate-limited", { "retry-after": reply.argument || "7" }),
  redirect: ({ answer }) => answer.respond(307, "text/plain", "", { location: "/elsewhere/chat/completions" }),
  /** Closes the connection in the middle of the text. */
  "broken-off": async (reply) => {
    await streamHalf(reply);
    reply.answer.destroy();
  },
  "ends-without-done": async (reply) => {
    await streamHalf(reply);
    reply.answer.end();
  },
  /** Sends nothing more after half of the text. */
  stalled: async (reply) => {
    await streamHalf(reply);
    await reply.answer.untilClosed();
  },
  /** Accepts the request and sends nothing. */
  silent: ({ answer }) => answer.untilClosed(),
  /** Sends a line that is not JSON. */
  garbage: async (reply) => {
    await streamHalf(reply);
    await reply.answer.flush('data: {"choices":[{"delta":{"conte\n\n');
    await reply.answer.untilClosed();
  },
  "html-instead": ({ answer }) =>
    answer.respond(200, "text/html; charset=utf-8", "<!doctype html><h1>Welcome to nginx!</h1>"),
  "error-mid-stream": async (reply) => {
    await streamHalf(reply);
    await reply.answer.flush(reply.encoder.errorEvent("overloaded"));
    reply.answer.end();
  },
  refusal: (reply) => streamWords(reply, { text: "", reason: "refused" }),
  length: (reply) => streamWords(reply, { reason: "length" }),
  "reasoning-first": async (reply) => {
    await begin(reply);
    await reply.answer.flush(reply.encoder.reasoning("This is a secret thought. "));
    await reply.answer.flush(reply.encoder.reasoning("So is this."));
    for (const word of words(reply.text)) await reply.answer.flush(reply.encoder.text(word));
    await finish(reply);
  },
  /** The whole text, and then a picture. */
  picture: async (reply) => {
    await begin(reply);
    for (const word of words(reply.text)) await reply.answer.flush(reply.encoder.text(word));
    await reply.answer.flush(reply.encoder.picture?.(dataUrlOf(SCRIPTED_PICTURE)) ?? "");
    await finish(reply);
  },
  /** Flushes every byte by itself, so that multi-byte characters are split. */
  "multi-byte": async ({ answer, encoder, text }) => {
    const events = [encoder.start(), ...words(text).map(encoder.text), encoder.finish("complete"), encoder.endMark()];
    answer.begin();
    for (const byte of Buffer.from(events.join(""))) await answer.flush(Uint8Array.of(byte));
    answer.end();
  },
  /** Answers with the prompt that it received, as JSON. */
  echo: (reply) => streamWords(reply),
  /** `[scenario:long:500]` answers with 500 numbered words. */
  long: (reply) => streamWords(reply, { text: numbered(Number(reply.argument) || 1000) }),
} satisfies Record<string, Play>;

export type Scenario = keyof typeof scenarios;

export function isScenario(name: string): name is Scenario {
  return Object.hasOwn(scenarios, name);
}

type Stream = { paceMs?: number; text?: string; reason?: WireEnd };

async function streamWords(reply: ScriptedReply, { paceMs = 0, text = reply.text, reason }: Stream = {}) {
  await begin(reply);
  for (const word of words(text)) {
    if (paceMs > 0) await reply.answer.pause(paceMs);
    await reply.answer.flush(reply.encoder.text(word));
  }
  await finish(reply, reason);
}

async function streamHalf(reply: ScriptedReply): Promise<void> {
  await begin(reply);
  const all = words(reply.text);
  const half = all.slice(0, Math.max(1, Math.floor(all.length / 2)));
  for (const word of half) await reply.answer.flush(reply.encoder.text(word));
}

async function begin({ answer, encoder }: ScriptedReply): Promise<void> {
  answer.begin();
  await answer.flush(encoder.start());
}

async function finish({ answer, encoder, calls, events }: ScriptedReply, reason: WireEnd = "complete"): Promise<void> {
  const hasCalls = calls.length > 0 && reason === "complete";
  if (events !== "") await answer.flush(events);
  if (hasCalls) await answer.flush(encoder.calls(calls));
  await answer.flush(encoder.finish(hasCalls ? "calls" : reason) + encoder.endMark());
  answer.end();
}

async function held(reply: ScriptedReply): Promise<void> {
  const { answer, encoder } = reply;
  await begin(reply);
  for (;;) {
    const command = await reply.nextCommand();
    if (command.do === "text") await answer.flush(encoder.text(command.text));
    else if (command.do === "reasoning") await answer.flush(encoder.reasoning(command.text));
    else if (command.do === "picture") await answer.flush(encoder.picture?.(command.url) ?? "");
    else if (command.do === "events") await answer.flush(command.events);
    else if (command.do === "ping") await answer.flush(encoder.ping());
    else if (command.do === "error") await answer.flush(encoder.errorEvent("overloaded"));
    else if (command.do === "finish") return finish(reply, command.reason);
    else return answer.destroy();
  }
}

function failBefore({ answer, wire }: ScriptedReply, failure: WireFailure, headers: Record<string, string> = {}): void {
  const { status, body } = wire.errorAnswer(failure);
  answer.respond(status, "application/json", body, headers);
}

function words(text: string): string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? [];
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index + 1}`).join(" ");
}
