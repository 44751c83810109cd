import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { costlyTexts } from "../../testing/chats/costly-texts.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { defaultCatalogue } from "./default-catalogue.ts";
import { DemoAssistant } from "./demo-assistant.ts";
import { openModels } from "./open-models.ts";
import { textOf } from "./prompt-message.ts";
import { askForTitle, cleanTitle, cutTitle, TITLE_MARKER, titlePrompt } from "./title-prompt.ts";

const question = "Please explain to me, step by step, how a bicycle stays upright while it moves";

describe("titles from a model's answer", () => {
  test.each([
    ["Bicycle balance", "Bicycle balance"],
    ['"Bicycle balance."', "Bicycle balance"],
    ["“Bicycle balance”", "Bicycle balance"],
    ["«Équilibre»", "Équilibre"],
    ["**Bicycle** _balance_", "Bicycle balance"],
    ["# Bicycle balance\n\nHere is why.", "Bicycle balance"],
    ["\n\nTitle: Bicycle balance", "Bicycle balance"],
    ["**Title:** `Bicycle` balance", "Bicycle balance"],
    ["- Bicycle\tbalance\u0000", "Bicycle balance"],
    ["Why do bicycles stay upright?", "Why do bicycles stay upright?"],
    ["snake_case and 2 * 3 * 4", "snake_case and 2 * 3 * 4"],
    ["自転車のバランス", "自転車のバランス"],
    ["C++ and C#", "C++ and C#"],
  ])("cuts the answer %j to the title %s", (answer, title) => {
    expect(cleanTitle(answer, question)).toBe(title);
  });

  test("a title has at most 60 characters, and is cut at a word", () => {
    const title = cleanTitle("A title that goes on and on and never seems to find its end anywhere", question);
    expect(title).toBe("A title that goes on and on and never seems to find its end…");
    expect([...cleanTitle("字".repeat(300), question)]).toHaveLength(60);
  });

  test.each(["", "  \n", "***", "“”", "..."])("the answer %j becomes the cut question", (answer) => {
    expect(cleanTitle(answer, question)).toBe(cutTitle(question));
  });
});

describe("titles from a question", () => {
  test.each([
    ["Short one", "Short one"],
    ["  Two\n lines\there ", "Two lines here"],
    [question, "Please explain to me, step by step, how a bicycle…"],
    ["x".repeat(80), `${"x".repeat(49)}…`],
    [`a ${"x".repeat(80)}`, `a ${"x".repeat(47)}…`],
    ["👩‍👩‍👧".repeat(60), `${"👩‍👩‍👧".repeat(49)}…`],
    ["x".repeat(50), "x".repeat(50)],
    [`${"word ".repeat(9)}1234 more`, `${"word ".repeat(9)}1234…`],
  ])("cuts the question %j to the title %s", (text, title) => {
    expect(cutTitle(text)).toBe(title);
  });

  test.each([
    [`a${" ".repeat(5000)}b`, "a…"],
    [`a${" ".repeat(5000)}`, "a"],
    [`${"\u0001 ".repeat(5000)}Short one`, "Short one"],
    [`${"\u0001".repeat(10)}${" ".repeat(1989)}👍 more`, "👍 more"],
  ])("a question with very long white space is cut to a title: %#", (text, title) => {
    expect(cutTitle(text)).toBe(title);
  });

  test("a question that is very long or blank is cut to a title", () => {
    expect(cutTitle("e\u0301".repeat(500_000))).toBe(`${"e\u0301".repeat(49)}…`);
    expect(cutTitle(" \n ")).toBe("");
  });
});

describe("K1 titles from a million characters", () => {
  const texts = Object.entries(costlyTexts(1_000_000));

  /** Returns the length in UTF-16 units of the longest text that a regular expression was applied to. */
  function longestRead(work: () => void): number {
    let longest = 0;
    const exec = RegExp.prototype.exec;
    const watch = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text: string) {
      longest = Math.max(longest, text.length);
      return exec.call(this, text);
    });
    work();
    watch.mockRestore();
    return longest;
  }

  test.each(texts)("regular expressions of a title read only the beginning of a text: %s", (_, text) => {
    expect(longestRead(() => cleanTitle(`x ${text}`, question))).toBeLessThanOrEqual(2000);
    expect(longestRead(() => cleanTitle(text, "?"))).toBeLessThanOrEqual(2000);
  });

  test.each(texts)("a title of a long text is short: %s", (_, text) => {
    for (const title of [cleanTitle(text, question), cutTitle(text)]) expect(title.length).toBeLessThanOrEqual(1201);
  });
});

describe("requests for a title", () => {
  let provider: ScriptedProvider;
  beforeEach(async () => {
    provider = await startScriptedProvider();
  });
  afterEach(() => provider[Symbol.asyncDispose]());

  async function title(exchange = { question, answer: "By steering." }, value?: string) {
    const models = openModels({
      productName: () => "Parley",
      catalogue: defaultCatalogue,
      anthropic: { baseUrl: provider.baseUrl, apiKey: "key" },
    });
    onTestFinished(() => models[Symbol.asyncDispose]());
    const choice = await models.choose(value);
    const [model] = choice.kind === "automatic" ? choice.candidates : [choice.model];
    return model && askForTitle(model, exchange, new AbortController().signal);
  }

  test("a title request is one call, which can be distinguished from chats", async () => {
    provider.title = '"Bicycle balance"\n';
    expect(await title()).toBe("Bicycle balance");
    expect([provider.titles.length, provider.chats.length]).toEqual([1, 0]);
    expect(provider.titles[0]?.messages[0]?.content).toContain("By steering.");
  });

  test("a title request takes the lowest effort of a model, and no cache", async () => {
    const lowest: unknown[] = [];
    for (const value of ["CLAUDE:claude-opus-5-5", "CLAUDE:claude-sonnet-4-5-20250929"]) {
      await title({ question: "q".repeat(9000), answer: "a".repeat(9000) }, value);
      const { thinking, output_config, system } = provider.titles.at(-1)?.body ?? {};
      lowest.push([thinking, output_config, typeof system]);
    }
    expect(lowest).toEqual([
      [{ type: "adaptive", display: "summarized" }, { effort: "low" }, "string"],
      [undefined, undefined, "string"],
    ]);
    expect(JSON.stringify(provider.titles.map(({ body }) => body))).not.toContain("cache_control");
  });

  test("a title request has excerpts of a long exchange, and splits no surrogate pair", () => {
    const { system, messages } = titlePrompt({ question: "q".repeat(9000), answer: `${"a".repeat(1999)}👍 more` });
    expect(system.startsWith(TITLE_MARKER)).toBe(true);
    const [text = ""] = messages.map(textOf);
    expect(text.length).toBeGreaterThan(4000);
    expect(text.length).toBeLessThan(4200);
    expect(text.isWellFormed()).toBe(true);
  });

  test("a title request fails with the model's error, and returns the cut question after a refusal", async () => {
    provider.titleScenario = "overloaded";
    await expect(title()).rejects.toMatchObject({ code: "assistant-busy" });
    provider.titleScenario = "refusal";
    expect(await title()).toBe(cutTitle(question));
  });

  test("a title request does not call the demo assistant", async () => {
    const demo = new DemoAssistant(
      () => "Parley",
      () => Promise.reject(new Error("not to be asked")),
    );
    expect(await askForTitle(demo, { question, answer: "" }, new AbortController().signal)).toBe(cutTitle(question));
  });
});
