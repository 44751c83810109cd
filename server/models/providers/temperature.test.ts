import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { promptOf, runModel } from "../../../testing/provider/model-calls.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { defaultCatalogue } from "../default-catalogue.ts";
import { openModels } from "../open-models.ts";
import { fitPrompt } from "../prompt-window.ts";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider[Symbol.asyncDispose]());

/** Calls a model. Returns the temperature that its provider received. */
async function sentTemperature(value: string, temperature?: number): Promise<unknown> {
  const { baseUrl } = provider;
  const address = { baseUrl, apiKey: "scripted-key" };
  const settings = { productName: () => "Parley", catalogue: defaultCatalogue };
  const models = openModels({ ...settings, openai: address, anthropic: address, local: { baseUrl } });
  onTestFinished(() => models[Symbol.asyncDispose]());
  const choice = await models.choose(value);
  if (choice.kind !== "specific") throw new Error("A model was chosen");
  await runModel(choice.model, { ...promptOf("How warm?"), ...(temperature !== undefined && { temperature }) });
  return provider.chats.at(-1)?.body.temperature;
}

const GPT = "GPT:gpt-4.1-nano";
const CLAUDE = "CLAUDE:claude-sonnet-4-5-20250929";

test.each([
  [GPT, 1.25, 1.25],
  [GPT, 0, 0],
  ["LOCAL:qwen3:8b", 2, 2],
  [CLAUDE, 0.3, 0.3],
  [CLAUDE, 1.7, 1],
  [CLAUDE, 0, 0],
  ["GPT:gpt-5-mini", 0.3, undefined],
])("the model %s with temperature %s sends %s", async (value, temperature, sent) => {
  expect(await sentTemperature(value, temperature)).toBe(sent);
});

test.each([GPT, CLAUDE])("the model %s without a temperature sends none", async (value) => {
  expect(await sentTemperature(value)).toBeUndefined();
});

test("a prompt that is cut to the window retains its temperature", () => {
  expect(fitPrompt({ ...promptOf("How warm?"), temperature: 0.5 }, 1000, 100).temperature).toBe(0.5);
});
