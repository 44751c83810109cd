import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { promptOf, runModel, unusedAddress } from "../../testing/provider/model-calls.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../testing/provider/scripted-provider.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { environmentConnections } from "./connections/connection-settings.ts";
import { defaultCatalogue } from "./default-catalogue.ts";
import type { Model, ModelChoice } from "./model.ts";
import { ModelError } from "./model-error.ts";
import { apiOf } from "./open-client.ts";
import { type ModelSettings, type Models, openModels } from "./open-models.ts";
import { listPrices } from "./prices.ts";

let provider: ScriptedProvider;
let now = 0;
beforeEach(async () => {
  provider = await startScriptedProvider();
  now = 1_000_000;
});
afterEach(() => provider[Symbol.asyncDispose]());

type Providers = ("openai" | "anthropic" | "local")[];

function open(providers: Providers, more: Partial<ModelSettings> = {}): Models {
  const { baseUrl } = provider;
  const models = openModels(
    {
      productName: () => "Parley",
      catalogue: defaultCatalogue,
      ...(providers.includes("openai") && { openai: { baseUrl, apiKey: "sk-openai-canary" } }),
      ...(providers.includes("anthropic") && { anthropic: { baseUrl, apiKey: "sk-ant-canary" } }),
      ...(providers.includes("local") && { local: { baseUrl } }),
      ...more,
    },
    { now: () => now, demoPause: () => Promise.resolve() },
  );
  onTestFinished(() => models[Symbol.asyncDispose]());
  return models;
}

async function specific(models: Models, value: string): Promise<Model> {
  const choice = await models.choose(value);
  if (choice.kind !== "specific") throw new Error(`${value} is no specific choice`);
  return choice.model;
}

const values = (choice: ModelChoice) =>
  choice.kind === "automatic" ? choice.candidates.map(({ value }) => value) : [choice.model.value];

const claudes55 = [
  ["Claude Opus 5.5", "CLAUDE:claude-opus-5-5"],
  ["Claude Sonnet 5.5", "CLAUDE:claude-sonnet-5-5"],
  ["Claude Haiku 5.5", "CLAUDE:claude-haiku-5-5"],
];
const both = ["GPT:gpt-5-mini", "CLAUDE:claude-sonnet-4-5-20250929"] as const;

describe("the list of models", () => {
  test("the list of models has the catalogue's groups, labels and values, available if their key is configured", async () => {
    expect(await open(["anthropic"]).list()).toEqual([
      {
        label: "GPT",
        models: ["gpt-4.1-nano", "gpt-5-nano", "gpt-5-mini", "gpt-5"].map((label) => ({
          label,
          value: `GPT:${label}`,
          available: false,
          contextTokens: label.startsWith("gpt-5") ? 300_000 : 1_000_000,
          ...{ images: true, pdf: true, tools: true },
          price: listPrices[`GPT:${label}`],
          ...(label.startsWith("gpt-5") && {
            takesTemperature: false,
            efforts: ["minimal", "low", "medium", "high"],
          }),
        })),
      },
      {
        label: "Antropic",
        models: [
          ["Claude Sonnet 3.5 (20241022)", "CLAUDE:claude-3-5-sonnet-20241022"],
          ["Claude Sonnet 4 (20250514)", "CLAUDE:claude-sonnet-4-20250514"],
          ["Claude Sonnet 4.5 (20250929)", "CLAUDE:claude-sonnet-4-5-20250929"],
          ...claudes55,
        ].map(([label, value]) => ({
          label,
          value,
          available: true,
          ...{ images: true, pdf: true, tools: true },
          contextTokens: value === "CLAUDE:claude-haiku-5-5" ? 132_768 : value?.includes("5-5") ? 1_000_000 : 200_000,
          price: listPrices[value ?? ""],
          ...(value === both[1] && { automatic: 0 }),
          ...(value?.includes("sonnet-4") && { efforts: ["off", "low", "medium", "high"] }),
          ...(value?.includes("5-5") && {
            takesTemperature: false,
            efforts: ["low", "medium", "high", "xhigh", "max"],
          }),
        })),
      },
    ]);
  });

  test("further models stand behind the others, if their provider's key is configured", async () => {
    const valuesOf = async (...providers: Providers) =>
      (await open(providers).list()).map(({ models }) =>
        models.map(({ value }) => value).slice(models.length > 4 ? -3 : 0),
      );
    const [gpts, claudes] = await valuesOf("openai");
    expect(gpts).toEqual(["GPT:gpt-6.1-sol", "GPT:gpt-6.1-terra", "GPT:gpt-6-luna"]);
    expect(claudes?.at(-1)).toBe("CLAUDE:claude-sonnet-4-5-20250929");
    expect((await valuesOf("openai", "anthropic"))[1]).toEqual(claudes55.map(([, value]) => value));
    await expect(open(["openai"]).choose("CLAUDE:claude-opus-5-5")).rejects.toMatchObject({
      code: "model-unavailable",
    });
  });

  test("a models file inherits what is known of a model, unless it names other facts or another API", async () => {
    const size = { contextTokens: 8000, maxOutputTokens: 4000 };
    const value = "CLAUDE:claude-sonnet-4-20250514";
    const optionOf = async (more: Partial<CatalogueModel>) => {
      const models = [{ label: "Sonnet", value, ...size, ...more }];
      const catalogue = { groups: [{ label: "All", models }], automatic: [] };
      return (await open(["anthropic"], { catalogue }).list())[0]?.models[0];
    };
    const known = { label: "Sonnet", contextTokens: 8000, efforts: ["off", "low", "medium", "high"] };
    expect(await optionOf({})).toMatchObject(known);
    expect(await optionOf({ takesTemperature: false })).toMatchObject({ ...known, takesTemperature: false });
    expect(await optionOf({ reasoning: "none" })).not.toHaveProperty("efforts");
    expect(await optionOf({ reasoning: "adaptive", efforts: ["max"] })).toMatchObject({ efforts: ["max"] });
    expect(await optionOf({ api: "chat-completions" })).not.toHaveProperty("efforts");
  });

  test("the list has the models of a local server under Local", async () => {
    const models = open(["local"]);
    const last = async () => {
      // On a slow machine the server may answer too late; it is asked again after five seconds of this clock.
      now += 5000;
      return (await models.list()).at(-1);
    };
    await expect.poll(last).toEqual({
      label: "Local",
      models: [
        { label: "llama3.2:3b", value: "LOCAL:llama3.2:3b", available: true, automatic: 0, triesPictures: true },
        { label: "qwen3:8b", value: "LOCAL:qwen3:8b", available: true, triesPictures: true },
      ],
    });
  });
});

describe("specific choices", () => {
  test("a specific choice fails as unknown, or as unavailable without its provider's key", async () => {
    const models = open(["openai"]);
    await expect(models.choose("GPT:gpt-9")).rejects.toMatchObject({ code: "model-unknown" });
    await expect(models.choose("constructor")).rejects.toMatchObject({ code: "model-unknown" });
    await expect(models.choose(both[1])).rejects.toMatchObject({ code: "model-unavailable" });
    await expect(models.choose("LOCAL:llama")).rejects.toMatchObject({ code: "model-unavailable" });
  });

  test("the choice of a local model fails as unknown only if the server is reachable", async () => {
    const models = open(["local"]);
    expect((await specific(models, "LOCAL:qwen3:8b")).value).toBe("LOCAL:qwen3:8b");
    await expect(models.choose("LOCAL:other")).rejects.toMatchObject({ code: "model-unknown" });

    const away = open(["local"], { local: { baseUrl: await unusedAddress() } });
    const outcome = await runModel(await specific(away, "LOCAL:other"), promptOf("Hi"));
    expect(outcome.error).toMatchObject({ code: "assistant-unreachable", isRetryable: true });
  });

  test("the demo assistant answers if no provider is configured", async () => {
    const models = open([]);
    for (const value of [undefined, "auto", both[0], "LOCAL:any"]) {
      expect(await models.choose(value)).toMatchObject({ kind: "specific", model: { provider: "demo" } });
    }
    expect((await models.list()).flatMap((group) => group.models).filter((model) => model.available)).toEqual([]);
    await expect(models.choose("GPT:gpt-9")).rejects.toMatchObject({ code: "model-unknown" });
  });
});

describe("automatic choices", () => {
  test("automatic choice follows the catalogue's order, then the local models", async () => {
    const models = open(["openai", "anthropic", "local"]);
    await models.list();
    for (const value of [undefined, "", "auto"]) {
      expect(values(await models.choose(value))).toEqual([...both, "LOCAL:llama3.2:3b"]);
    }
    expect(values(await open(["local"]).choose(undefined))).toEqual(["LOCAL:llama3.2:3b"]);
  });

  test("automatic choice takes any configured model if the order contains none", async () => {
    const models = open(["anthropic"], { catalogue: { ...defaultCatalogue, automatic: ["GPT:gpt-5"] } });
    expect(values(await models.choose(undefined))[0]).toBe("CLAUDE:claude-3-5-sonnet-20241022");
  });

  test("automatic choice fails as unreachable if the only provider is an unreachable local server", async () => {
    const models = open(["local"], { local: { baseUrl: await unusedAddress() } });
    const choice = await models.choose(undefined);
    const [model] = choice.kind === "automatic" ? choice.candidates : [];
    expect((model && (await runModel(model, promptOf("Hi"))).error)?.code).toBe("assistant-unreachable");
    const lastError = { code: "assistant-unreachable", at: now };
    expect(models.health()).toMatchObject([{ id: "local", lastError, coolsUntil: now + 30_000 }]);
  });

  test("the health of a model has the last error, a later success, and a cool-down until it ends", async () => {
    const models = open(["anthropic", "openai"]);
    const model = await specific(models, both[0]);
    provider.next("error-before-first-word");
    await runModel(model, promptOf("Hi"));
    const lastError = { code: "assistant-failed", at: now };
    now += 30_000;
    expect(models.health()).toMatchObject([{ id: "openai", lastError }, { id: "anthropic" }]);
    await runModel(model, promptOf("[scenario:too-long]"));
    await runModel(model, promptOf("Hi"));
    expect(models.health()[0]).toMatchObject({ id: "openai", lastError, lastSuccessAt: now });
    expect(models.health()[0]).not.toHaveProperty("coolsUntil");
  });

  test("automatic choice skips a provider for 30 s after a failure before the first word, unless all failed", async () => {
    const models = open(["openai", "anthropic"]);
    const fail = async (value: string) => {
      provider.next("error-before-first-word");
      await runModel(await specific(models, value), promptOf("Hi"));
    };
    await fail(both[0]);
    expect(values(await models.choose(undefined))).toEqual([both[1]]);
    now += 29_999;
    expect(values(await models.choose(undefined))).toEqual([both[1]]);
    now += 1;
    expect(values(await models.choose(undefined))).toEqual(both);
    await fail(both[0]);
    await fail(both[1]);
    expect(values(await models.choose(undefined))).toEqual(both);
  });

  test("a cool-down lasts as long as Retry-After, up to five minutes, and ends at the first word", async () => {
    const models = open(["openai", "anthropic"]);
    const model = await specific(models, both[0]);
    provider.next("rate-limited");
    await runModel(model, promptOf("[scenario:rate-limited:120]"));
    now += 119_000;
    expect(values(await models.choose(undefined))).toEqual([both[1]]);
    await runModel(model, promptOf("Hi"));
    expect(values(await models.choose(undefined))).toEqual(both);
    await runModel(model, promptOf("[scenario:rate-limited:86400]"));
    now += 5 * 60_000;
    expect(values(await models.choose(undefined))).toEqual(both);
  });

  test("automatic choice skips a single model that its provider does not have", async () => {
    const gpt5 = "GPT:gpt-5";
    const models = open(["openai", "anthropic"], { catalogue: { ...defaultCatalogue, automatic: [gpt5, ...both] } });
    await runModel(await specific(models, gpt5), promptOf("[scenario:unknown-model]"));
    expect(values(await models.choose(undefined))).toEqual(both);
    now += 30_000;
    expect(values(await models.choose(undefined))).toEqual([gpt5, ...both]);
  });

  test("automatic choice takes the successor of a model that its provider does not have", async () => {
    const models = open(["openai", "anthropic"]);
    await runModel(await specific(models, both[0]), promptOf("[scenario:unknown-model]"));
    expect(values(await models.choose(undefined))).toEqual(["GPT:gpt-6-luna", both[1]]);
    await runModel(await specific(models, both[1]), promptOf("[scenario:unknown-model]"));
    expect(values(await models.choose(undefined))).toEqual(["GPT:gpt-6-luna", "CLAUDE:claude-sonnet-5-5"]);
    expect(values(await models.choose(both[0]))).toEqual([both[0]]);
    now += 30_000;
    expect(values(await models.choose(undefined))).toEqual(both);
  });

  test("automatic choice skips no provider after a failure in mid-reply, a too long prompt or a person's Stop", async () => {
    const models = open(["openai", "anthropic"]);
    const model = await specific(models, both[0]);
    await runModel(model, promptOf("[scenario:broken-off]"));
    await runModel(model, promptOf("[scenario:too-long]"));
    await expect(runModel(model, promptOf("Hi"), AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
    expect(values(await models.choose(undefined))).toEqual(both);
  });

  test("automatic choice skips a provider after a timeout of the caller", async () => {
    const models = open(["openai", "anthropic"]);
    const limit = new AbortController();
    const outcome = runModel(await specific(models, both[0]), promptOf("[scenario:silent]"), limit.signal);
    await provider.chat(1);
    limit.abort(new ModelError("assistant-stalled"));
    expect((await outcome).error?.code).toBe("assistant-stalled");
    expect(values(await models.choose(undefined))).toEqual([both[1]]);
  });
});

describe("APIs of models", () => {
  test.each([
    ["GPT:gpt-5", {}, "/v1/chat/completions"],
    ["GPT:gpt-5", { api: "responses" }, "/v1/responses"],
    ["GPT:gpt-5", { api: "messages" }, "/v1/messages"],
    ["CLAUDE:claude-sonnet-4-20250514", {}, "/v1/messages"],
    ["CLAUDE:claude-sonnet-4-20250514", { api: "chat-completions" }, "/v1/chat/completions"],
    ["LOCAL:qwen3:8b", {}, "/v1/chat/completions"],
    ["LOCAL:qwen3:8b", { api: "messages" }, "/v1/messages"],
  ] as [string, Partial<CatalogueModel>, string][])(
    "the model %s with %j is called at %s",
    async (value, facts, path) => {
      const models = [{ label: value, value, contextTokens: 8000, maxOutputTokens: 4000, ...facts }];
      const catalogue = { groups: [{ label: "All", models }], automatic: [] };
      const model = await specific(open(["openai", "anthropic", "local"], { catalogue }), value);
      expect((await runModel(model, promptOf("Hi"))).text).toBe(provider.reply);
      expect(provider.chats.map((request) => request.path)).toEqual([path]);
    },
  );

  test.each([
    ["https://api.openai.com/v1", "responses"],
    ["https://eu.api.openai.com/v1/", "responses"],
    ["https://api.openai.com.example.org/v1", "chat-completions"],
    ["https://gateway.example.org/api.openai.com/v1", "chat-completions"],
    ["http://127.0.0.1:11434/v1", "chat-completions"],
  ])("OpenAI's models at %s have the API %s", (baseUrl, api) => {
    const [settings] = environmentConnections({ openai: { baseUrl, apiKey: "sk" } });
    expect(settings && apiOf({ provider: "openai", settings })).toBe(api);
  });
});

test("disposing models aborts running calls", async () => {
  const models = open(["openai"]);
  const outcome = runModel(await specific(models, both[0]), promptOf("[scenario:stalled]"));
  const request = await provider.chat(1);
  await models[Symbol.asyncDispose]();
  expect((await outcome).error?.code).toMatch(/assistant-(broken-off|unreachable)/);
  await request.closed;
});
