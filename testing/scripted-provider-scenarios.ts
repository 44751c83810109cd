import type { Wire, WireEnd, WireFailure } from "./scripted-provider-wire.ts";

/** What a scripted answer writes to; everything stops by itself once the client has gone. */
export interface ScriptedAnswer {
  readonly wire: Wire;
  readonly model: string;
  readonly paceMs: number;
  readonly isOpenAi: boolean;
  /** Text of the answer in this scenario, and the scenario's own argument (`[scenario:long:500]`). */
  readonly text: string;
  readonly argument: string;
  /** Answers with a whole body. */
  respond(status: number, contentType: string, body: string, headers?: Record<string, string>): void;
  /** Begins an event stream. */
  begin(): void;
  write(part: string | Uint8Array): Promise<void>;
  pause(ms: number): Promise<void>;
  end(): void;
  /** Destroys the socket. */
  destroy(): void;
  /** Waits for what the test does by hand. */
  nextCommand(): Promise<HeldCommand>;
  untilClientLeaves(): Promise<void>;
}

export type HeldCommand =
  | { do: "text" | "reasoning"; text: string }
  | { do: "ping" | "break-off" | "error" }
  | { do: "finish"; reason: WireEnd };

type Play = (answer: ScriptedAnswer) => Promise<void>;

export const scenarios = {
  /** The whole text at once. */
  fast: (answer) => streamWords(answer, { paceMs: 0 }),
  /** Word by word, `paceMs` apart. */
  slow: (answer) => streamWords(answer, { paceMs: answer.paceMs }),
  held,
  "error-before-first-word": async (answer) => failBefore(answer, "server"),
  overloaded: async (answer) => failBefore(answer, "overloaded"),
  "wrong-key": async (answer) => failBefore(answer, "wrong-key"),
  "unknown-model": async (answer) => failBefore(answer, "unknown-model"),
  "too-long": async (answer) => failBefore(answer, "too-long"),
  "rate-limited": async (answer) => failBefore(answer, "rate-limited", { "retry-after": answer.argument || "7" }),
  redirect: async (answer) => answer.respond(307, "text/plain", "", { location: "/elsewhere/chat/completions" }),
  /** The socket is destroyed in the middle of the text. */
  "broken-off": async (answer) => {
    await streamHalf(answer);
    answer.destroy();
  },
  "ends-without-done": async (answer) => {
    await streamHalf(answer);
    answer.end();
  },
  /** Silence after half of the text. */
  stalled: async (answer) => {
    await streamHalf(answer);
    await answer.untilClientLeaves();
  },
  /** Takes the request and says nothing at all. */
  silent: (answer) => answer.untilClientLeaves(),
  /** A line of the stream that is no JSON. */
  garbage: async (answer) => {
    await streamHalf(answer);
    await answer.write('data: {"choices":[{"delta":{"conte\n\n');
    await answer.untilClientLeaves();
  },
  "html-instead": async (answer) =>
    answer.respond(200, "text/html; charset=utf-8", "<!doctype html><h1>Welcome to nginx!</h1>"),
  "error-mid-stream": async (answer) => {
    await streamHalf(answer);
    await answer.write(answer.wire.errorEvent("overloaded"));
    answer.end();
  },
  refusal: (answer) => streamWords(answer, { paceMs: 0, text: "", reason: "refused" }),
  length: (answer) => streamWords(answer, { paceMs: 0, reason: "length" }),
  "reasoning-first": async (answer) => {
    answer.begin();
    await answer.write(answer.wire.start(answer.model));
    await answer.write(answer.wire.reasoning("This is a secret thought. "));
    await answer.write(answer.wire.reasoning("So is this."));
    await streamRest(answer, answer.text);
  },
  /** Every byte in a chunk of its own, so that characters are split. */
  "multi-byte": async (answer) => {
    answer.begin();
    const { wire } = answer;
    const stream = [wire.start(answer.model), ...words(answer.text).map(wire.text), wire.finish("complete")].join("");
    for (const byte of Buffer.from(stream + wire.endMark())) await answer.write(Uint8Array.of(byte));
    answer.end();
  },
  /** The prompt that it got, as JSON. */
  echo: (answer) => streamWords(answer, { paceMs: 0 }),
  /** `[scenario:long:500]`: that many numbered words. */
  long: (answer) => streamWords(answer, { paceMs: 0, text: numbered(Number(answer.argument) || 1000) }),
} satisfies Record<string, Play>;

export type Scenario = keyof typeof scenarios;

export function isScenario(name: string): name is Scenario {
  return Object.hasOwn(scenarios, name);
}

type Script = { paceMs: number; text?: string; reason?: WireEnd };

async function streamWords(answer: ScriptedAnswer, { paceMs, text = answer.text, reason }: Script): Promise<void> {
  answer.begin();
  await answer.write(answer.wire.start(answer.model));
  for (const word of words(text)) {
    if (paceMs > 0) await answer.pause(paceMs);
    await answer.write(answer.wire.text(word));
  }
  await finish(answer, reason);
}

async function streamRest(answer: ScriptedAnswer, text: string): Promise<void> {
  for (const word of words(text)) await answer.write(answer.wire.text(word));
  await finish(answer);
}

async function streamHalf(answer: ScriptedAnswer): Promise<void> {
  answer.begin();
  const all = words(answer.text);
  const half = all.slice(0, Math.max(1, Math.floor(all.length / 2)));
  await answer.write(answer.wire.start(answer.model));
  for (const word of half) await answer.write(answer.wire.text(word));
}

async function finish(answer: ScriptedAnswer, reason: WireEnd = "complete"): Promise<void> {
  await answer.write(answer.wire.finish(reason) + answer.wire.endMark());
  answer.end();
}

async function held(answer: ScriptedAnswer): Promise<void> {
  const { wire } = answer;
  answer.begin();
  await answer.write(wire.start(answer.model));
  for (;;) {
    const command = await answer.nextCommand();
    if (command.do === "text") await answer.write(wire.text(command.text));
    else if (command.do === "reasoning") await answer.write(wire.reasoning(command.text));
    else if (command.do === "ping") await answer.write(wire.ping());
    else if (command.do === "error") await answer.write(wire.errorEvent("overloaded"));
    else if (command.do === "finish") return finish(answer, command.reason);
    else return answer.destroy();
  }
}

function failBefore(answer: ScriptedAnswer, failure: WireFailure, headers: Record<string, string> = {}): void {
  const { status, body } = answer.wire.errorAnswer(failure);
  answer.respond(status, "application/json", body, headers);
}

function words(text: string): string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? [];
}

function numbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index + 1}`).join(" ");
}
