import { describe, expect, test } from "vitest";
import { Random } from "../../../testing/app/random.ts";
import { anthropicMessagesWire } from "../../../testing/provider/anthropic/anthropic-messages-wire.ts";
import { replay } from "../../../testing/provider/replay-stream.ts";
import type { ModelEnd } from "../model.ts";
import { ModelError } from "../model-error.ts";
import { AnthropicReader } from "./anthropic.ts";

type Outcome = { text: string; reasoning: string; end?: ModelEnd; code?: string };

/** Reads a stream in the given chunks. */
async function read(...chunks: (string | Uint8Array)[]): Promise<Outcome> {
  const options = { chunks: chunks.map((chunk) => Buffer.from(chunk)) };
  const { text, reasoning, end, error } = await replay(new AnthropicReader(), options);
  return { text, reasoning, ...(end && { end }), ...(error instanceof ModelError && { code: error.code }) };
}

const event = (data: { type: string; [name: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const start = (usage: object = { input_tokens: 5, output_tokens: 1 }) =>
  event({ type: "message_start", message: { content: [], usage } });
const block = (content_block: object, ...deltas: object[]) =>
  event({ type: "content_block_start", index: 0, content_block }) +
  deltas.map((delta) => event({ type: "content_block_delta", index: 0, delta })).join("") +
  event({ type: "content_block_stop", index: 0 });
const text = (piece: string) => block({ type: "text", text: "" }, { type: "text_delta", text: piece });
const thinking = (...pieces: string[]) =>
  block(
    { type: "thinking", thinking: "", signature: "" },
    ...pieces.map((piece) => ({ type: "thinking_delta", thinking: piece })),
    { type: "signature_delta", signature: "c2VjcmV0" },
  );
const redacted = block({ type: "redacted_thinking", data: "c2VjcmV0" });
const tool = block(
  { type: "tool_use", id: "toolu_1", name: "search", input: {} },
  { type: "input_json_delta", partial_json: '{"text":"no text"}' },
);
const delta = (stop_reason: string, usage: object = { output_tokens: 9 }) =>
  event({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage });
const stop = event({ type: "message_stop" });
const finish = delta("end_turn") + stop;

describe("blocks of Anthropic's reasoning", () => {
  test("blocks of reasoning are joined by a blank line, without signatures and encrypted ones", async () => {
    const outcome = await read(
      start() + thinking("First, ", "this.") + redacted + thinking("") + thinking("Then that.") + text("Yes.") + finish,
    );
    expect(outcome).toMatchObject({
      text: "Yes.",
      reasoning: "First, this.\n\nThen that.",
      end: { reason: "complete" },
    });
  });

  test("reasoning after text begins without a blank line, as it stands apart", async () => {
    const chunks = [start(), thinking("One."), text("Text."), thinking("Two."), text(" More.") + finish];
    expect(await read(...chunks)).toMatchObject({ text: "Text. More.", reasoning: "One.Two." });
  });

  test("reasoning and text of Anthropic's are passed on in their order, also within one chunk", async () => {
    const stream = start() + thinking("One.") + text("Text.") + thinking("Two.") + text(" More.") + finish;
    const { pieces } = await replay(new AnthropicReader(), { chunks: [Buffer.from(stream)] });
    expect(pieces.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "reasoning: One.",
      "text: Text.",
      "reasoning: Two.",
      "text:  More.",
    ]);
  });

  test("unknown blocks of Anthropic's pass, and calls of tools that were not offered are known", async () => {
    const unknown = block({ type: "hologram", text: "no" }, { type: "hologram_delta", text: "no" });
    expect(await read(start() + tool + unknown + text("Yes.") + delta("tool_use") + stop)).toMatchObject({
      text: "Yes.",
      reasoning: "",
      end: { reason: "calls", tools: { calls: [{ name: "search", arguments: '{"text":"no text"}' }] } },
    });
  });
});

test.each([
  ["end_turn", "complete"],
  ["stop_sequence", "complete"],
  ["tool_use", "complete"],
  ["some_new_reason", "complete"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["pause_turn", "length"],
  ["refusal", "refused"],
])("Anthropic's stop reason %s ends a reply as %s", async (reason, expected) => {
  expect((await read(start() + text("Yes.") + delta(reason) + stop)).end?.reason).toBe(expected);
});

test.each([
  [{ input_tokens: 5 }, {}, { inputTokens: 5 }],
  [
    { input_tokens: 5, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 1 },
    { output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } },
    { inputTokens: 325, cachedInputTokens: 300, cacheWriteTokens: 20, outputTokens: 40, reasoningTokens: 30 },
  ],
  [
    { input_tokens: 5, output_tokens: 1 },
    { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 4 },
    { inputTokens: 10, cachedInputTokens: 3, outputTokens: 4 },
  ],
  [{ input_tokens: 5, cache_read_input_tokens: null }, { output_tokens: -1 }, { inputTokens: 5 }],
  ["many", { output_tokens: 4 }, { outputTokens: 4 }],
  // A sum beyond the database's integers.
  [
    { input_tokens: 2 ** 31 - 1, cache_read_input_tokens: 2 ** 31 - 1 },
    {},
    { inputTokens: 2 ** 31 - 1, cachedInputTokens: 2 ** 31 - 1 },
  ],
])("a start with %j and an end with %j count as %j", async (first, last, usage) => {
  const outcome = await read(start(first as object) + text("Yes.") + delta("end_turn", last) + stop);
  expect(outcome.end?.usage).toEqual(usage);
});

describe("second starts", () => {
  test("a second start before the first word begins anew, with its own token counts", async () => {
    const first = start({ input_tokens: 99, cache_read_input_tokens: 50 }) + delta("max_tokens", { output_tokens: 99 });
    const second = start({ input_tokens: 5 }) + thinking("Again.") + text("Yes.") + finish;
    for (const chunks of [[first + second], [first, second]]) {
      expect(await read(...chunks)).toEqual({
        text: "Yes.",
        reasoning: "Again.",
        end: { reason: "complete", usage: { inputTokens: 5, outputTokens: 9 } },
      });
    }
  });

  test("a second start after reasoning begins anew, apart from the reasoning that was passed on", async () => {
    const outcome = await read(start() + thinking("First."), start() + thinking("Second.") + text("Yes.") + finish);
    expect(outcome).toMatchObject({ text: "Yes.", reasoning: "First.\n\nSecond.", end: { reason: "complete" } });
  });

  test("a second start after words breaks the reply off behind them, wherever the stream is split", async () => {
    const first = start() + text("First words");
    const second = start() + text("Other words") + finish;
    for (const chunks of [[first + second], [first, second]]) {
      expect(await read(...chunks)).toEqual({ text: "First words", reasoning: "", code: "assistant-broken-off" });
    }
  });
});

/** Draws a reply of the scripted wire: pieces of text and reasoning, pings, other blocks. */
function drawReply(random: Random): { stream: string; whole: Outcome } {
  const encoder = anthropicMessagesWire.encodeAnswer("claude-opus-5-5", {
    input: random.between(10, 5000),
    cached: random.between(0, 10),
    output: random.between(2, 900),
    reasoning: 1,
  });
  const words = ["a", " wörd", " 日本", "👩‍👩‍👧", "\n\n", "data: [DONE]", "\u2028", '"}', "<think>"];
  const word = () => words[random.between(0, words.length - 1)] ?? "";
  let stream = encoder.start();
  const whole: Outcome = { text: "", reasoning: "" };
  for (let step = random.between(1, 12); step > 0; step--) {
    const kind = random.between(0, 3);
    const piece = word();
    if (kind === 0) stream += encoder.ping();
    else if (kind === 1) {
      stream += encoder.reasoning(piece);
      whole.reasoning += piece;
    } else {
      stream += encoder.text(piece);
      whole.text += piece;
    }
  }
  return { stream: stream + encoder.finish("complete") + encoder.endMark(), whole };
}

describe("streams that are cut anywhere", () => {
  test.each(Array.from({ length: 12 }, (_, seed) => seed))(
    "Anthropic's stream is read alike if it is cut at any byte, seed %i",
    async (seed) => {
      const { stream, whole } = drawReply(new Random(`anthropic ${seed}`));
      const bytes = Buffer.from(stream);
      const uncut = await read(bytes);
      expect(uncut).toMatchObject(whole);
      for (let at = 1; at < bytes.length; at++) {
        expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(uncut);
      }
    },
  );

  test("Anthropic's stream is read alike if it is cut at many pairs of bytes", async () => {
    const bytes = Buffer.from(start() + thinking("Ö") + thinking("b") + text("ß") + finish);
    const whole = {
      text: "ß",
      reasoning: "Ö\n\nb",
      end: { reason: "complete", usage: { inputTokens: 5, outputTokens: 9 } },
    };
    for (let first = 1; first < bytes.length; first += 11) {
      for (let second = first + 1; second < bytes.length; second += 5) {
        const cut = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        expect(await read(...cut)).toEqual(whole);
      }
    }
  });
});
