import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod/mini";
import { parseModelValue } from "./catalogue.ts";
import { defaultCatalogue } from "./default-catalogue.ts";
import { parseCatalogue } from "./parse-catalogue.ts";

const model = (value: string, more: object = {}) => ({
  label: value,
  value,
  contextTokens: 1000,
  maxOutputTokens: 100,
  ...more,
});
const file = (models: object[], more: object = {}) => JSON.stringify({ groups: [{ label: "All", models }], ...more });
const problemsOf = (text: string) => {
  const parsed = parseCatalogue(text);
  return parsed.ok ? [] : parsed.problems;
};

describe("models files", () => {
  test("a models file replaces groups and order", () => {
    const text = file([model("GPT:a", { takesTemperature: false }), model("LOCAL:b")], { automatic: ["LOCAL:b"] });
    expect(parseCatalogue(text)).toEqual({ ok: true, catalogue: JSON.parse(text) });
  });

  test("a models file may contain the default catalogue", () => {
    expect(parseCatalogue(JSON.stringify(defaultCatalogue))).toEqual({ ok: true, catalogue: defaultCatalogue });
  });

  test("the models file in the documentation of settings is valid", () => {
    const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
    const [, example = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
    expect(parseCatalogue(example)).toEqual({ ok: true, catalogue: JSON.parse(example) });
  });

  test("a models file without an order has the default order, else the first model of each provider", () => {
    const orderOf = (...values: string[]) => {
      const parsed = parseCatalogue(file(values.map((value) => model(value))));
      return parsed.ok ? parsed.catalogue.automatic : parsed.problems;
    };
    expect(orderOf("GPT:a", "CLAUDE:claude-sonnet-4-5-20250929")).toEqual(["CLAUDE:claude-sonnet-4-5-20250929"]);
    expect(orderOf("GPT:a", "GPT:b", "CLAUDE:c")).toEqual(["GPT:a", "CLAUDE:c"]);
  });

  test("a models file may contain prices, both or none", () => {
    const priced = (prices: object) => parseCatalogue(file([model("GPT:a", prices)]));
    const { ok } = priced({ inputPrice: 0, outputPrice: 2.5 });
    expect(ok).toBe(true);
    expect(priced({ inputPrice: 1 })).toEqual({
      ok: false,
      problems: ["groups[0].models[0].inputPrice and outputPrice are named together or not at all"],
    });
    expect(priced({ inputPrice: -1, outputPrice: "2" })).toEqual({
      ok: false,
      problems: [
        "groups[0].models[0].inputPrice must not be negative",
        "groups[0].models[0].outputPrice must be a number of US dollars",
      ],
    });
  });

  test("a models file may contain every fact of a model, and further models", () => {
    const facts = {
      prefill: true,
      takesTemperature: false,
      reasoning: "budget",
      efforts: ["off", "minimal", "low", "medium", "high", "xhigh", "max"],
      returnsReasoning: false,
      labelsAnswers: true,
      cacheMinTokens: 2048,
      images: true,
      pdf: true,
      audio: false,
      tools: true,
      successor: "GPT:c",
      ...{ inputPrice: 1, outputPrice: 2, cacheWritePrice: 1.25, cacheReadPrice: 0 },
    };
    const models = [model("CLAUDE:a", facts), model("LOCAL:b", { ...facts, api: "messages" })];
    const further = [model("GPT:c", { api: "responses", reasoning: "effort", efforts: ["off", "high"] })];
    const groups = [{ label: "All", models, further }];
    expect(parseCatalogue(JSON.stringify({ groups }))).toEqual({
      ok: true,
      catalogue: { groups, automatic: ["CLAUDE:a", "LOCAL:b"] },
    });
  });

  test.each([
    [{ api: "graphql" }, "api must be responses, chat-completions or messages"],
    [{ prefill: "yes" }, "prefill must be true or false"],
    [{ prefill: true }, "prefill is only for the API messages"],
    [{ reasoning: "much" }, "reasoning must be none, effort, adaptive or budget"],
    [
      { reasoning: "adaptive" },
      "reasoning must be effort for responses and chat-completions, and adaptive or budget for messages",
    ],
    [
      { reasoning: "effort", api: "messages" },
      "reasoning must be effort for responses and chat-completions, and adaptive or budget for messages",
    ],
    [{ efforts: ["low"] }, "efforts needs reasoning: effort, adaptive or budget"],
    [{ reasoning: "effort", efforts: "low" }, "efforts must be a list"],
    [{ reasoning: "effort", efforts: [] }, "efforts must not be empty"],
    [
      { reasoning: "effort", efforts: ["much"] },
      "efforts[0] must be one of off, minimal, low, medium, high, xhigh, max",
    ],
    [
      { reasoning: "effort", efforts: ["high", "low"] },
      "efforts must be in the order off, minimal, low, medium, high, xhigh, max",
    ],
    [
      { reasoning: "effort", efforts: ["low", "low"] },
      "efforts must be in the order off, minimal, low, medium, high, xhigh, max",
    ],
    [
      { api: "messages", reasoning: "adaptive", efforts: ["minimal", "low"] },
      "efforts must not include minimal for adaptive reasoning",
    ],
    [{ cacheReadPrice: 1 }, "cacheReadPrice needs inputPrice and outputPrice"],
    [{ cacheWritePrice: 1 }, "cacheWritePrice needs inputPrice and outputPrice"],
    [{ cacheMinTokens: 0 }, "cacheMinTokens must be at least 1"],
    [{ images: 1 }, "images must be true or false"],
  ])("a model with %j is refused: %s", (facts, problem) => {
    expect(problemsOf(file([model("GPT:a", facts)]))).toEqual([`groups[0].models[0].${problem}`]);
  });

  test.each([
    ["before any library has set a language of zod", undefined],
    ["after a library has set one", () => "Invalid input: expected object"],
  ])("a models file is refused with all its problems at once, %s", (_, localeError) => {
    const before = z.config().localeError;
    onTestFinished(() => void z.config({ localeError: before }));
    z.config({ localeError });
    const text = JSON.stringify({
      groups: [
        {
          label: "",
          models: [
            {
              label: "x",
              value: "OTHER:x",
              contextTokens: "many",
              maxOutputTokens: 1.5,
              price: 1,
              takesTemperature: 0,
            },
            model("GPT:a", { maxOutputTokens: 1000 }),
          ],
        },
        { models: {} },
        7,
      ],
      automatic: "GPT:a",
      colour: "red",
    });
    expect(problemsOf(text)).toEqual([
      "groups[0].label must not be empty",
      "groups[0].models[0].value must be GPT:name, CLAUDE:name or LOCAL:name",
      "groups[0].models[0].contextTokens must be a number of tokens",
      "groups[0].models[0].maxOutputTokens must be a whole number",
      "groups[0].models[0].takesTemperature must be true or false",
      "groups[0].models[0] has unknown keys: price",
      "groups[0].models[1].maxOutputTokens must be less than contextTokens",
      "groups[1].label must be a text",
      "groups[1].models must be a list",
      "groups[2] is missing or not an object",
      "automatic must be a list of values",
      "the file has unknown keys: colour",
    ]);
  });

  test.each([
    ["{", ["is not valid JSON"]],
    ["[]", ["the file is missing or not an object"]],
    ["{}", ["groups must be a list"]],
    ['{"groups":[]}', ["groups must not be empty"]],
    [
      JSON.stringify({ groups: [{ label: "All", models: [model("GPT:a")], further: [model("GPT:a")] }] }),
      ["groups: GPT:a is listed twice"],
    ],
    [
      file([model("GPT:a"), model("GPT:a"), model("GPT:a")], { automatic: ["GPT:b"] }),
      ["groups: GPT:a is listed twice", "automatic: GPT:b is in none of the groups"],
    ],
    [file([model("GPT:a", { successor: "GPT:b" })]), ["successor: GPT:b is in none of the groups"]],
  ])("a models file is refused if it is %s", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});

test("a model's value is the slug of its connection and a name", () => {
  expect(parseModelValue("LOCAL:library/llama3.2:3b")).toEqual({ slug: "LOCAL", name: "library/llama3.2:3b" });
  for (const value of ["gpt-5", "GPT:", "gpt:x", "GPT: x", "__proto__:x"]) {
    expect(parseModelValue(value)).toBeUndefined();
  }
});
