import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { promptMessage } from "./prompt-message.ts";
import { findServerCut } from "./server-cut.ts";

const prose = "The glacier moves a few metres every year, and its moraine shows where it ended long ago. ";
const local = { provider: "local" } as const;

const cutOf = (text: string, inputTokens: number | undefined, model: Parameters<typeof findServerCut>[0] = local) =>
  findServerCut(
    model,
    { system: "", messages: [promptMessage("user", text)] },
    { reason: "complete", usage: { ...(inputTokens !== undefined && { inputTokens }) } },
  );

describe("a server that reports fewer tokens than were sent", () => {
  test("a server has cut a prompt of 30 kB if it has read 4,096 tokens of it", () => {
    const text = prose.repeat(340);
    expect(cutOf(text, 4096)).toEqual({ sent: Math.floor(text.length / 6), received: 4096 });
  });

  test("no cut is found at OpenAI or Anthropic, without a count, and of a short prompt", () => {
    const text = prose.repeat(340);
    expect(cutOf(text, 4096, { provider: "openai" })).toBeUndefined();
    expect(cutOf(text, undefined)).toBeUndefined();
    expect(cutOf(prose.repeat(50), 9)).toBeUndefined();
  });

  test.each([
    ["prose", prose],
    ["German", "Die Donaudampfschifffahrtsgesellschaft verkehrt zwischen Passau und Wien. "],
    ["Japanese", "氷河は毎年少しずつ動き、その跡に岩や砂を残していきます。"],
    ["Chinese", "冰川每年移动几米，它的冰碛显示出它很久以前的终点。"],
    ["Arabic", "يتحرك النهر الجليدي بضعة أمتار كل عام، ويترك وراءه الصخور. "],
    ["Hindi", "हिमनद हर साल कुछ मीटर खिसकता है और पत्थर छोड़ जाता है। "],
    [
      "code",
      "export function toRows(values: readonly number[]): string {\n        return values.map(String).join();\n}\n",
    ],
    ["a table", "| a        |        b |          c |\n|----------|----------|------------|\n"],
    ["blanks", "          \n\n\n\n\n\t\t\t\t\t\t"],
    ["a line of signs", "================================================================\n"],
    ["numbers", "3.14159 2.71828 1.41421 "],
  ])("no cut is found of %s that was read whole", (_, piece) => {
    const text = piece.repeat(Math.ceil(60_000 / piece.length));
    expect(cutOf(text, encode(text).length)).toBeUndefined();
  });
});
