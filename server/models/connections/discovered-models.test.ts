import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { wireFixture } from "../../../testing/provider/replay-dispatcher.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { Outbound } from "../../outbound/outbound.ts";
import { ProviderConnection } from "../providers/provider-connection.ts";
import { DiscoveredModels } from "./discovered-models.ts";

let provider: ScriptedProvider;
let now = 0;
beforeEach(async () => {
  provider = await startScriptedProvider();
  now = 1_000_000;
});
afterEach(() => provider[Symbol.asyncDispose]());

const settings = { slug: "LOCAL", id: "local", name: "Local", kind: "openai", baseUrl: "http://127.0.0.1/v1" } as const;

function open({ waitMs = 10_000, apiKey = "" } = {}): DiscoveredModels {
  const connection = new ProviderConnection(
    { baseUrl: `${provider.baseUrl}/`, ...(apiKey && { apiKey }) },
    { outbound: new Outbound() },
  );
  onTestFinished(() => connection[Symbol.asyncDispose]());
  return new DiscoveredModels(connection, settings, { now: () => now, waitMs });
}

const names = (models: readonly { value: string }[]) => models.map(({ value }) => value);

describe("models of a local server", () => {
  test("the list of local models is requested once a minute, with one request for concurrent callers", async () => {
    const local = open({ apiKey: "secret" });
    await Promise.all([local.list(), local.list()]);
    now += 59_999;
    expect(names(await local.list())).toEqual(["LOCAL:llama3.2:3b", "LOCAL:qwen3:8b"]);
    expect(provider.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/v1/models", "Bearer secret"],
    ]);
  });

  test("local models stay listed while the list is refreshed", async () => {
    const local = open();
    await local.list();
    provider.models = ["new"];
    now += 60_000;
    expect(names(await local.list())).toEqual(["LOCAL:llama3.2:3b", "LOCAL:qwen3:8b"]);
    await expect.poll(() => names(local.known())).toEqual(["LOCAL:new"]);
    expect(provider.requests).toHaveLength(2);
  });

  test("local models are absent while the server is unreachable, which is asked again after five seconds", async () => {
    const local = open();
    provider.models = undefined;
    expect([await local.list(), local.isThere]).toEqual([[], false]);
    provider.models = ["back"];
    now += 4999;
    expect(await local.list()).toEqual([]);
    now += 1;
    expect([names(await local.list()), local.isThere]).toEqual([["LOCAL:back"], true]);
    expect(provider.requests).toHaveLength(2);
  });

  test("a request does not wait for the list of local models beyond the timeout", async () => {
    provider.isHanging = true;
    expect(await open({ waitMs: 20 }).list()).toEqual([]);
  });

  test("local models have the context windows that the server reports, else a default", async () => {
    provider.models = JSON.parse(wireFixture("vllm-models").toString()).data;
    expect(await open().list()).toEqual([
      {
        label: "mistralai/Mistral-7B-Instruct-v0.3",
        value: "LOCAL:mistralai/Mistral-7B-Instruct-v0.3",
        contextTokens: 32_768,
        maxOutputTokens: 8192,
        inputPrice: 0,
        outputPrice: 0,
        triesPictures: true,
      },
    ]);
    provider.models = JSON.parse(wireFixture("ollama-models").toString()).data;
    expect((await open().list())[0]).toEqual({
      label: "llama3.2:3b",
      value: "LOCAL:llama3.2:3b",
      inputPrice: 0,
      outputPrice: 0,
      isWindowAssumed: true,
      contextTokens: 16_384,
      maxOutputTokens: 4096,
      triesPictures: true,
    });
  });

  test("local models are listed once each, without invalid entries", async () => {
    provider.models = ["a", "a", { id: "" }, { id: 7 }, { id: "x".repeat(500) }, { id: "b", max_model_len: -1 }];
    expect(names(await open().list())).toEqual(["LOCAL:a", "LOCAL:b"]);
  });

  test("the first 2,000 models of a longer list are read, and none of a list of more than 8 MB", async () => {
    provider.models = Array.from({ length: 2500 }, (_, index) => `model-${index}`);
    expect((await open().list()).map(({ label }) => label)).toEqual(provider.models.slice(0, 2000));
    provider.models = ["a", { id: "b", description: "x".repeat(8 * 1024 * 1024) }];
    const local = open();
    expect(await local.list()).toEqual([]);
    expect(local.state).toMatchObject({ state: "away", error: { code: "assistant-broken-off" } });
  });

  test("models that cannot chat are not offered, by their kind or else by their names", async () => {
    provider.models = [
      "nomic-embed-text",
      "chat",
      { id: "whisper-of-doom", type: "chat" },
      { id: "x", type: "rerank" },
    ];
    expect(names(await open().list())).toEqual(["LOCAL:chat", "LOCAL:whisper-of-doom"]);
  });
});
