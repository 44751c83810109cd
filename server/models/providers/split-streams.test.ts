import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatDialects, chatDialectWire } from "../../../testing/provider/openai/openai-chat-wire.ts";
import { openAiResponsesWire } from "../../../testing/provider/openai/openai-responses-wire.ts";
import { replay } from "../../../testing/provider/replay-stream.ts";
import type { Wire, WireEnd } from "../../../testing/provider/wire.ts";
import { ChatCompletionReader } from "./chat-completion-reader.ts";
import type { WireReader } from "./event-stream-call.ts";
import { ResponsesReader } from "./responses-reader.ts";

type Piece = { kind: "text" | "reasoning"; text: string };
type Answer = { pieces: Piece[]; reason: WireEnd };

const tokens = { input: 3000, cached: 2048, output: 700, reasoning: 512 };
const usage = { inputTokens: 3000, cachedInputTokens: 2048, outputTokens: 700, reasoningTokens: 512 };

type Format = { name: string; wire: Wire; reader: () => WireReader };

const formats: readonly Format[] = [
  ...chatDialects.map((name) => ({ name, wire: chatDialectWire(name), reader: () => new ChatCompletionReader() })),
  { name: "responses", wire: openAiResponsesWire, reader: () => new ResponsesReader() },
];

function encoded(wire: Wire, { pieces, reason }: Answer): Buffer {
  const encoder = wire.encodeAnswer("gpt-5-mini", tokens);
  const words = pieces.map(({ kind, text }) => encoder[kind](text));
  return Buffer.from([encoder.start(), ...words, encoder.ping(), encoder.finish(reason), encoder.endMark()].join(""));
}

function usageIn(format: string): object {
  if (format === "responses") return { ...usage, cacheWriteTokens: 0 };
  const { reasoningTokens, ...others } = usage;
  return format === "gemini" ? others : { ...others, reasoningTokens };
}

const joined = (pieces: readonly Piece[], kind: Piece["kind"]) =>
  pieces.flatMap((piece) => (piece.kind === kind ? [piece.text] : [])).join("");

async function read(reader: WireReader, chunks: readonly Uint8Array[]) {
  const { text, reasoning, end, error } = await replay(reader, { chunks });
  return { text, reasoning, reason: end?.reason, usage: end?.usage, error };
}

const greeting: Answer = {
  pieces: [
    { kind: "reasoning", text: "Grüße? " },
    { kind: "reasoning", text: "Zürich 🏔️\n\nSo:" },
    { kind: "text", text: "Grüße – " },
    { kind: "text", text: "日本語 👩‍👩‍👧!\n" },
  ],
  reason: "length",
};

/** Letters, emoji, white space and markup; reasoning begins and ends with a letter, since tags drop white space there. */
const word = fc.string({
  unit: fc.constantFrom("a", "ß", "語", "👩‍👧", " ", "\n", "<", "</th", '"', "\\"),
  maxLength: 12,
});
const answers: fc.Arbitrary<Answer> = fc.record({
  pieces: fc
    .tuple(
      fc.array(
        word.map((text): Piece => ({ kind: "reasoning", text: `x${text}x` })),
        { maxLength: 4 },
      ),
      fc.array(
        word.map((text): Piece => ({ kind: "text", text: `y${text}` })),
        { maxLength: 4 },
      ),
    )
    .map((kinds) => kinds.flat()),
  reason: fc.constantFrom("complete", "length", "refused"),
});

describe.each(formats)("streams of $name", ({ name, wire, reader }) => {
  const expected = {
    text: joined(greeting.pieces, "text"),
    reasoning: joined(greeting.pieces, "reasoning"),
    reason: "length",
    usage: usageIn(name),
    error: undefined,
  };
  const bytes = encoded(wire, greeting);

  test("a stream is read the same in one piece, byte by byte, and split at any byte", async () => {
    expect(await read(reader(), [bytes])).toEqual(expected);
    expect(
      await read(
        reader(),
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(expected);
    for (let at = 1; at < bytes.length; at++) {
      expect(await read(reader(), [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(expected);
    }
  });

  test("a stream that is cut before its end is never complete", async () => {
    for (let at = 0; at < bytes.length; at += 7) {
      const { text, reasoning, reason, error } = await read(reader(), [bytes.subarray(0, at)]);
      expect(expected.text.startsWith(text) && expected.reasoning.startsWith(reasoning)).toBe(true);
      if (reason === undefined) expect(error).toMatchObject({ code: "assistant-broken-off" });
      else expect([reason, text, reasoning]).toEqual([expected.reason, expected.text, expected.reasoning]);
    }
  });

  test("a stream has the same text, reasoning, end and token counts wherever it is split", async () => {
    const cuts = fc.array(fc.nat(), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(answers, cuts, async (answer, at) => {
        const stream = encoded(wire, answer);
        const positions = [0, ...at.map((cut) => cut % stream.length), stream.length].toSorted((a, b) => a - b);
        const chunks = positions.slice(1).map((end, index) => stream.subarray(positions[index], end));
        expect(await read(reader(), chunks)).toEqual({
          ...expected,
          text: joined(answer.pieces, "text"),
          reasoning: joined(answer.pieces, "reasoning"),
          reason: answer.reason,
        });
      }),
      { seed: 18, numRuns: 150 },
    );
  });
});

const event = (data: object) => `data: ${JSON.stringify(data)}\r\n\r\n`;
const choice = (delta: object, finish_reason: string | null = null) =>
  event({ choices: [{ index: 0, delta, finish_reason }] });
const small = {
  "chat completions": {
    reader: () => new ChatCompletionReader(),
    stream: choice({ content: "<think>ä</think>é" }, "stop"),
  },
  responses: {
    reader: () => new ResponsesReader(),
    stream:
      event({ type: "response.reasoning_text.delta", delta: "ä" }) +
      event({ type: "response.output_text.delta", delta: "é" }) +
      event({ type: "response.completed" }),
  },
};

test.each(Object.entries(small))("a small stream of %s is read the same, split at any two bytes", async (_, wire) => {
  const bytes = Buffer.from(wire.stream);
  for (let first = 1; first < bytes.length; first++) {
    for (let second = first; second < bytes.length; second++) {
      const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
      const { text, reasoning, reason } = await read(wire.reader(), chunks);
      if (text !== "é" || reasoning !== "ä" || reason !== "complete") expect([first, second, text]).toEqual([]);
    }
  }
});
