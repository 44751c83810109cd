import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { wireFixture } from "../../../testing/provider/replay-dispatcher.ts";
import { type ReplayOutcome, replay } from "../../../testing/provider/replay-stream.ts";
import type { ModelEnd } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { AnthropicReader } from "./anthropic.ts";
import { ChatCompletionReader } from "./chat-completion-reader.ts";
import { callForEvents, type WireReader } from "./event-stream-call.ts";

const greeting = "Grüße aus Zürich – 日本語 and 👩‍👩‍👧!\n\n- one\n";
const codeOf = ({ error }: ReplayOutcome) => (error instanceof ModelError ? error.code : error);

type Expected = { text: string; reasoning?: string; reason?: ModelEnd["reason"]; tokens?: number; code?: string };
const openAi = () => new ChatCompletionReader();
const anthropic = () => new AnthropicReader();

const fixtures: Record<string, { reader: () => WireReader } & Expected> = {
  "openai-complete": { reader: openAi, text: greeting, reason: "complete", tokens: 74 },
  "openai-length": { reader: openAi, text: "Once upon a", reason: "length", tokens: 74 },
  "openai-content-filter": { reader: openAi, text: "I’ll", reason: "refused", tokens: 74 },
  "openai-refusal": { reader: openAi, text: "", reason: "refused" },
  "openai-error-mid-stream": { reader: openAi, text: "The answer", code: "assistant-failed" },
  "ollama-reasoning": {
    reader: openAi,
    text: "Hello there!",
    reasoning: "Okay, the user greets.",
    reason: "complete",
    tokens: 21,
  },
  "llama-cpp-think-tag": {
    reader: openAi,
    text: "1 is less than 2. <think> stays here.",
    reasoning: "Let me see: 1 < 2",
    reason: "complete",
    tokens: 9,
  },
  "gateway-comments-crlf": { reader: openAi, text: "Two lines\r\nhere", reason: "complete", tokens: 5 },
  "gateway-error-mid-stream": { reader: openAi, text: "Two", code: "assistant-busy" },
  "anthropic-complete": { reader: anthropic, text: greeting, reason: "complete", tokens: 15 },
  "anthropic-thinking": { reader: anthropic, text: "Hello there!", reason: "complete", tokens: 49 },
  "anthropic-max-tokens": { reader: anthropic, text: "Once upon a", reason: "length", tokens: 3 },
  "anthropic-refusal": { reader: anthropic, text: "", reason: "refused", tokens: 0 },
  "anthropic-overloaded": { reader: anthropic, text: "The answer", code: "assistant-busy" },
  "anthropic-new-events": { reader: anthropic, text: "Hello there!", reason: "complete", tokens: 9 },
};

describe.each(Object.entries(fixtures))("recorded streams of %s", (name, expected) => {
  const { reader, text, reasoning, reason, tokens, code } = expected;
  const bytes = wireFixture(name);

  function expectWhole(outcome: ReplayOutcome) {
    expect(outcome.text).toBe(text);
    if (reasoning !== undefined) expect(outcome.reasoning).toBe(reasoning);
    expect(codeOf(outcome)).toBe(code);
    expect(outcome.end?.reason).toBe(reason);
    expect(outcome.end?.usage?.outputTokens).toBe(tokens);
  }

  test("a recorded stream is read in one piece and byte by byte", async () => {
    expectWhole(await replay(reader(), { chunks: [bytes] }));
    expectWhole(await replay(reader(), { chunks: Array.from(bytes, (byte) => Uint8Array.of(byte)) }));
  });

  test("a recorded stream is read the same, split in two at any byte", async () => {
    for (let at = 1; at < bytes.length; at++) {
      expectWhole(await replay(reader(), { chunks: [bytes.subarray(0, at), bytes.subarray(at)] }));
    }
  });

  test("a stream that is cut before its end is never complete, and its text until then is emitted", async () => {
    for (let at = 0; at < bytes.length; at++) {
      const ending = at % 2 === 0 ? "end" : "reset";
      const outcome = await replay(reader(), { chunks: [bytes.subarray(0, at)], ending });
      expect(text.startsWith(outcome.text)).toBe(true);
      if (reasoning !== undefined) expect(reasoning.startsWith(outcome.reasoning)).toBe(true);
      if (outcome.end) expect([outcome.end.reason, outcome.text]).toEqual([reason, text]);
      else expect(outcome.error).toBeInstanceOf(ModelError);
    }
    const beginning = await replay(reader(), { chunks: [bytes.subarray(0, 40)] });
    expect(codeOf(beginning)).toBe("assistant-broken-off");
  });
});

const delta = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const stop = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`;
const chunks = (...parts: string[]) => parts.map((part) => Buffer.from(part));

describe("irregular streams", () => {
  test("invalid JSON ends the reply after the valid text before it", async () => {
    const outcome = await replay(openAi(), { chunks: chunks(delta("good"), 'data: {"choices":[{\n\n', delta("bad")) });
    expect([outcome.text, codeOf(outcome)]).toEqual(["good", "assistant-broken-off"]);
    expect(outcome.dispatcher.isAborted).toBe(true);
  });

  test.each(["1", "null", "[]", '"text"', "{", "\\u0000"])("the data %s breaks a reply off", async (data) => {
    for (const reader of [openAi(), anthropic()]) {
      const outcome = await replay(reader, { chunks: chunks(`data: ${data}\n\n`) });
      expect(codeOf(outcome)).toBe("assistant-broken-off");
    }
  });

  test.each([
    { choices: null },
    { choices: [null] },
    { choices: [{ delta: { content: 7 } }] },
    { choices: [{ delta: [] }], usage: "many" },
    { choices: [], usage: { prompt_tokens: -1 } },
    JSON.parse('{"__proto__":{"choices":[{"delta":{"content":"x"}}]}}'),
  ])("fields of another type count as missing: %j", async (event) => {
    const outcome = await replay(openAi(), { chunks: chunks(`data: ${JSON.stringify(event)}\n\n`, delta("ok"), stop) });
    expect([outcome.text, outcome.end]).toEqual(["ok", { reason: "complete", usage: {} }]);
  });

  test("a line of more than a million characters is refused, however it is chunked", async () => {
    const line = chunks(
      delta("good"),
      "data: ",
      ..."x"
        .repeat(20)
        .replaceAll("x", `${"y".repeat(100_000)}|`)
        .split("|"),
    );
    const outcome = await replay(openAi(), { chunks: line, ending: "open" });
    expect([outcome.text, codeOf(outcome)]).toEqual(["good", "assistant-broken-off"]);
    expect(outcome.dispatcher.isAborted).toBe(true);
  });

  test("text after the end of a stream is ignored", async () => {
    const outcome = await replay(openAi(), {
      chunks: chunks(delta("one"), stop, delta("late"), stop, "data: [DONE]\n\ndata: [DONE]\n\n", delta("later")),
    });
    expect([outcome.text, outcome.end?.reason]).toEqual(["one", "complete"]);
  });

  test("invalid UTF-8 is decoded as replacement characters", async () => {
    const [before = "", after = ""] = delta("<>").split("<>");
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from(after + stop)]);
    expect((await replay(openAi(), { chunks: [bytes] })).text).toBe("\uFFFD(\uFFFD");
  });

  test("text that looks like framing is retained, byte for byte", async () => {
    const text = "\n\nevent: x\ndata: y\r\r\n\uFEFF\u2028\u2029: comment\n\ndata: [DONE]\n\n";
    const outcome = await replay(openAi(), { chunks: chunks(delta(text), stop, "data: [DONE]\n\n") });
    expect(outcome.text).toBe(text);
  });

  test("unknown event names are ignored", async () => {
    const outcome = await replay(openAi(), {
      chunks: chunks(
        'event: execute\ndata: {"type":"execute","code":"alert(1)"}\n\n',
        "id: 7\nretry: 1\n\n",
        delta("ok"),
        stop,
      ),
    });
    expect([outcome.text, outcome.end?.reason]).toEqual(["ok", "complete"]);
  });

  test.each([
    ["HTML", 200, { "content-type": "text/html" }, "<h1>Welcome</h1>", "assistant-failed"],
    ["no content type", 200, {}, delta("x"), "assistant-failed"],
    [
      "an error as JSON with 200",
      200,
      { "content-type": "application/json" },
      '{"error":{"code":"slow_down"}}',
      "assistant-busy",
    ],
    ["a redirect", 302, { location: "http://elsewhere.test/" }, "", "assistant-misconfigured"],
    ["an empty answer", 204, {}, "", "assistant-failed"],
  ])("a response is refused if it is %s", async (_, status, headers, body, code) => {
    const outcome = await replay(openAi(), { status, headers, chunks: chunks(body) });
    expect([outcome.text, codeOf(outcome)]).toEqual(["", code]);
  });

  test("a response is not decompressed, against decompression bombs", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, "data: x\n"));
    const headers = { "content-type": "text/event-stream", "content-encoding": "gzip" };
    const outcome = await replay(openAi(), { headers, chunks: [bomb] });
    expect([outcome.text, codeOf(outcome)]).toEqual(["", "assistant-failed"]);
    expect(outcome.dispatcher.seen?.headers).toMatchObject({ "accept-encoding": "identity" });
  });

  test("an endless error page is read only up to a limit", async () => {
    const page = Array.from({ length: 50 }, () => Buffer.alloc(16_384, "x"));
    const outcome = await replay(openAi(), { status: 500, headers: {}, chunks: page, ending: "open" });
    expect([outcome.lives, codeOf(outcome), outcome.dispatcher.isAborted]).toEqual([5, "assistant-failed", true]);
  });
});

describe("calls to a provider", () => {
  test("each chunk of bytes is reported as a sign of life", async () => {
    const parts = chunks(": ping\n\n", ": ping\n\n", "data:\n\n", delta("x"), stop);
    expect((await replay(openAi(), { chunks: parts })).lives).toBe(1 + parts.length);
  });

  test("a reply is complete at the end mark, whether or not the connection ends", async () => {
    const outcome = await replay(openAi(), { chunks: chunks(delta("x"), stop, "data: [DONE]\n\n"), ending: "open" });
    expect(outcome.end?.reason).toBe("complete");
  });

  test.each([
    ["its last word", [delta("x"), stop]],
    ["its end mark", [delta("x"), stop, "data: [DONE]\n\n"]],
  ])("a call closes a connection that stays open after %s", async (_, parts) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const told = replay(openAi(), { chunks: chunks(...parts), ending: "open" });
    await vi.advanceTimersByTimeAsync(4000);
    const { end, error, dispatcher } = await told;
    expect([end?.reason, error, dispatcher.isAborted]).toEqual(["complete", undefined, true]);
  });

  test("a call is not made if its signal is already aborted", async () => {
    const outcome = await replay(openAi(), { chunks: [] }, AbortSignal.abort("gone"));
    expect([outcome.error, outcome.dispatcher.seen]).toEqual(["gone", undefined]);
  });

  test("an aborted call rejects with the signal's reason and closes the connection", async () => {
    const stopping = new AbortController();
    const outcome = replay(openAi(), { chunks: chunks(delta("x")), ending: "open" }, stopping.signal);
    stopping.abort("stopped");
    const { text, error, dispatcher } = await outcome;
    expect([text, error, dispatcher.isAborted]).toEqual(["x", "stopped", true]);
  });

  test("a call that cannot be made does not reveal its key", async () => {
    const { Agent } = await import("undici");
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const failing = callForEvents({
      dispatcher,
      url: new URL("http://127.0.0.1:9/"),
      headers: { authorization: "Bearer sk-canary\n" },
      body: "",
      reader: openAi(),
      sink: { onText() {}, onReasoning() {}, onTakeBack() {}, onCall() {}, onPicture() {}, onLife() {} },
      signal: new AbortController().signal,
    });
    const error = await failing.catch((reason) => reason);
    expect(error).toMatchObject({ code: "assistant-misconfigured" });
    expect(JSON.stringify([error.message, error.stack, String(error.cause)])).not.toContain("canary");
  });
});
