import { describe, expect, test } from "vitest";
import { pdfFile, pictureFile } from "../../testing/provider/prompt-files.ts";
import type { Prompt, PromptFile, PromptMessage } from "./model.ts";
import { promptMessage } from "./prompt-message.ts";
import { fitPrompt, likelyPromptTokens, likelyTokens } from "./prompt-window.ts";

const user = (text: string, ...files: PromptFile[]) => promptMessage("user", text, files);
const assistant = (text: string) => promptMessage("assistant", text);
const prompt = (...messages: PromptMessage[]): Prompt => ({ system: "Be kind.", messages });
/** Returns the content of a message of exactly this many tokens, including the overhead of four. */
const sized = (tokens: number) => "abc".repeat(tokens - 4);
/** Tokens of the system prompt above: three, and an overhead of four. */
const SYSTEM = 7;

describe("prompts in a window", () => {
  const long = prompt(user(sized(100)), assistant(sized(100)), user(sized(50)), assistant(sized(50)), user(sized(10)));

  test("a prompt is unchanged if it fits, to the token", () => {
    expect(fitPrompt(long, 310 + SYSTEM + 100, 100)).toEqual(long);
  });

  test("a prompt loses whole turns, the oldest first", () => {
    expect(fitPrompt(long, 309 + SYSTEM + 100, 100).messages).toEqual(long.messages.slice(2));
    expect(fitPrompt(long, 110 + SYSTEM + 100, 100).messages).toEqual(long.messages.slice(2));
    expect(fitPrompt(long, 109 + SYSTEM + 100, 100).messages).toEqual(long.messages.slice(4));
  });

  test("a prompt never retains a turn that is older than a removed one", () => {
    const { messages } = fitPrompt(prompt(user("a"), user(sized(500)), user("b")), 200, 50);
    expect(messages).toEqual([user("b")]);
  });

  test("a prompt retains the incomplete answer after the last question", () => {
    const halfWay = prompt(user(sized(100)), assistant(sized(100)), user("go"), assistant("half an"));
    expect(fitPrompt(halfWay, 100, 20).messages).toEqual(halfWay.messages.slice(2));
  });

  test("an answer at the very beginning counts as a turn of its own", () => {
    const welcome = prompt(assistant(sized(100)), user("go"));
    expect(fitPrompt(welcome, 100, 20).messages).toEqual([user("go")]);
    expect(fitPrompt(welcome, 1000, 20)).toEqual(welcome);
  });

  test("a prompt is too long if the last question alone does not fit", () => {
    expect(fitPrompt(prompt(user(sized(100))), 100 + SYSTEM + 50, 50).messages).toHaveLength(1);
    expect(() => fitPrompt(prompt(user(sized(101))), 100 + SYSTEM + 50, 50)).toThrow(
      expect.objectContaining({ code: "assistant-too-long" }),
    );
  });

  test("a prompt gets at least half of the window, however much is reserved", () => {
    expect(fitPrompt(prompt(user(sized(90))), 200, 100_000).messages).toHaveLength(1);
  });

  test("a prompt's files count with their messages", () => {
    // 2,520 tokens of a picture, and 3,000 of a page.
    const files = [pictureFile("a.png", 1024, 1024), pdfFile("b.pdf")];
    const long = prompt(user(sized(100), ...files), assistant(sized(100)), user(sized(50)));
    expect(likelyPromptTokens(long)).toBe(250 + SYSTEM + 5520);
    expect(fitPrompt(long, 250 + SYSTEM + 5520 + 100, 100)).toEqual(long);
    expect(fitPrompt(long, 249 + SYSTEM + 5520 + 100, 100).messages).toEqual(long.messages.slice(2));
  });

  test("a prompt may be empty", () => {
    expect(fitPrompt(prompt(), 100, 10).messages).toEqual([]);
  });
});

test.each([
  ["English", "The quick brown fox jumps over the lazy dog.", 10, 20],
  ["Russian", "Съешь ещё этих мягких французских булок", 10, 30],
  ["Chinese", "人人生而自由,在尊严和权利上一律平等。", 14, 24],
  ["Japanese", "すべての人間は、生まれながらにして自由であり", 14, 28],
  ["emoji", "👍🎉", 2, 6],
])("the estimated tokens of %s are neither too few nor far too many", (_, text, least, most) => {
  const tokens = likelyTokens(text);
  expect(tokens).toBeGreaterThanOrEqual(least);
  expect(tokens).toBeLessThanOrEqual(most);
});
