import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { unusedAddress } from "../../testing/provider/model-calls.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import { defaultCatalogue } from "./default-catalogue.ts";
import type { ModelChoice } from "./model.ts";
import { type Models, openModels } from "./open-models.ts";

let provider: ScriptedProvider;
let now = 0;
beforeEach(async () => {
  provider = await startScriptedProvider();
  now = 1_000_000;
});
afterEach(() => provider[Symbol.asyncDispose]());

/** Returns the models of OpenAI and of a local server. */
function open(localAddress = provider.baseUrl): Models {
  const models = openModels(
    {
      productName: () => "Parley",
      catalogue: defaultCatalogue,
      openai: { baseUrl: provider.baseUrl, apiKey: "sk-openai-canary" },
      local: { baseUrl: localAddress },
    },
    { now: () => now },
  );
  onTestFinished(() => models[Symbol.asyncDispose]());
  return models;
}

const values = (choice: ModelChoice) =>
  choice.kind === "automatic" ? choice.candidates.map(({ value }) => value) : [choice.model.value];

describe("a local server that does not answer", () => {
  const silence = async (models: Models) => {
    provider.models = undefined;
    now += 60_000;
    await models.list();
    // The cached list is refreshed in the background.
    await expect.poll(async () => (await models.list()).at(-1)?.unreachable).toBe("LOCAL:");
  };
  const llama = "LOCAL:llama3.2:3b";

  test("the last models of a silent local server stay listed as unreachable, and automatic choice does not ask them", async () => {
    const models = open();
    await models.list();
    await silence(models);
    const away = { available: false, unreachable: true, triesPictures: true };
    expect((await models.list()).at(-1)).toEqual({
      label: "Local",
      unreachable: "LOCAL:",
      models: [
        { label: "llama3.2:3b", value: llama, ...away },
        { label: "qwen3:8b", value: "LOCAL:qwen3:8b", ...away },
      ],
    });
    expect(values(await models.choose(undefined))).not.toContain(llama);
    provider.models = ["back"];
    now += 5000;
    expect((await models.list()).at(-1)).toEqual({
      label: "Local",
      models: [{ label: "back", value: "LOCAL:back", triesPictures: true, available: true, automatic: 1 }],
    });
  });

  test("the group of a local server that never answered is listed without models, for accounts that may use one of them", async () => {
    const models = open(await unusedAddress());
    const last = async (...permitted: string[]) =>
      (await models.list({ permitted: new Set(permitted), first: null })).at(-1)?.label;
    expect((await models.list()).at(-1)).toEqual({ label: "Local", unreachable: "LOCAL:", models: [] });
    expect([await last(llama, "GPT:gpt-5"), await last("GPT:gpt-5")]).toEqual(["Local", "GPT"]);
  });

  test("a group's default model that does not answer stays the first candidate, so that its failure is shown", async () => {
    const models = open();
    await models.list();
    await silence(models);
    const chosen = values(await models.choose(undefined, { permitted: null, first: llama }));
    expect([chosen[0], chosen.length]).toEqual([llama, 2]);
  });
});
