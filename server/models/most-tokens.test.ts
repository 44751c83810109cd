import { array, assert, constantFrom, oneof, property, string, tuple } from "fast-check";
import { encode as encodeCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as encodeO200k } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { mostBrokenOutput, mostPromptTokens, mostTextTokens } from "./most-tokens.ts";
import { promptMessage } from "./prompt-message.ts";
import { likelyTokens } from "./prompt-window.ts";

/** Tokenisers of OpenAI's models. No special tokens: providers do not take them from texts. */
const tokenisers = {
  o200k: (text: string) => encodeO200k(text, { disallowedSpecial: new Set() }).length,
  cl100k: (text: string) => encodeCl100k(text, { disallowedSpecial: new Set() }).length,
};

/** Texts with many tokens a byte: rare scripts, digits between blanks, private use, emoji, random letters. */
const costly = {
  Gothic: "𐌰𐌱𐌲𐌳",
  "Linear B": "𐀀𐀁𐀂𐀃",
  digits: " 1 2 3",
  Yi: "ꀀꀁꀂꀃ",
  Tangut: "𗀀𗀁𗀂",
  "CJK extension B": "𠀀𠀁𠀂",
  "private use": "\uE000\uE001\u{F0000}",
  emoji: "🫠🫡👩🏽‍🚀",
  base64: "TWFuIGlzIGRpc3Rpbmd1aXNoZWQ=",
  marks: "e\u0301\u0302\u0303",
  controls: "\u0000\u0001\u007F",
} as const;

describe.each(Object.entries(tokenisers))("%s", (_, countOf) => {
  test.each(Object.entries(costly))("K11 the tokens of %s are no more than are reserved", (_name, text) => {
    const long = text.repeat(200);
    expect(countOf(long)).toBeLessThanOrEqual(mostTextTokens(long).most);
  });

  test("K11 the tokens of any text are no more than are reserved", () => {
    const piece = oneof(
      string({ unit: "binary" }),
      string({ unit: "grapheme" }),
      constantFrom(...Object.values(costly)),
    );
    void assert(
      property(array(piece, { maxLength: 20 }), (pieces) => {
        // Lone surrogates become U+FFFD where a text enters.
        const text = pieces.join("").toWellFormed();
        expect(countOf(text)).toBeLessThanOrEqual(mostTextTokens(text).most);
      }),
      { numRuns: 300, seed: 7186027 },
    );
  });
});

test("K11 the likely tokens of some texts are fewer than their tokens, so that money is never counted by them", () => {
  const text = costly.Gothic.repeat(200);
  expect(likelyTokens(text)).toBeLessThan(tokenisers.o200k(text));
});

test("K11 a prompt has at least the tokens of its texts, whatever is joined", () => {
  void assert(
    property(
      tuple(string({ unit: "binary" }), array(string({ unit: "binary" }), { maxLength: 5 })),
      ([system, texts]) => {
        const messages = texts.map((text) => promptMessage("user", text));
        const joined = [system, ...texts].join("\n").toWellFormed();
        expect(mostPromptTokens({ system, messages }).most).toBeGreaterThanOrEqual(tokenisers.o200k(joined));
      },
    ),
    { numRuns: 100, seed: 7186027 },
  );
});

test("K11 the output of a broken call is bounded by the limit of the answer, and by what may have been unseen", () => {
  expect(mostBrokenOutput({}, 100, 2000)).toEqual({ most: 356 });
  expect(mostBrokenOutput({}, 100, 200)).toEqual({ most: 200 });
  expect(mostBrokenOutput({ efforts: ["low"] }, 100, 20_000)).toEqual({ most: 8292 });
  expect(mostBrokenOutput({ efforts: ["low"] }, 100, 2000)).toEqual({ most: 2000 });
});
