import { expect, onTestFinished, test } from "vitest";
import type { AnswerWriter } from "../../../../testing/provider/answer-writer.ts";
import { openAiModelList } from "../../../../testing/provider/openai/openai-chat-wire.ts";
import type { ProviderRequest } from "../../../../testing/provider/provider-request.ts";
import { startProvider } from "../../../../testing/provider/provider-server.ts";
import { Outbound } from "../../../outbound/outbound.ts";
import { ProviderConnection } from "../../providers/provider-connection.ts";
import { DiscoveredModels } from "../discovered-models.ts";

type Answers = Record<string, (request: ProviderRequest, answer: AnswerWriter) => unknown>;

/** Starts a local server that answers each path by a document, or not at all. */
async function serve(answers: Answers) {
  const seen: string[] = [];
  const provider = await startProvider(async (request, answer) => {
    seen.push(`${request.path} ${request.model}`.trim());
    const document = await answers[request.path]?.(request, answer);
    if (answer.isClosed) return;
    answer.respond(document === undefined ? 404 : 200, "application/json", JSON.stringify(document) ?? "");
  });
  let now = 0;
  const connection = new ProviderConnection({ baseUrl: provider.baseUrl }, { outbound: new Outbound() });
  onTestFinished(async () => {
    await connection[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });
  const local = new DiscoveredModels(connection, settings, { now: () => now });
  const renew = async () => {
    now += 60_000;
    return local.list();
  };
  return { local, seen, renew };
}

const listOf = (owner: string, ...names: string[]) =>
  JSON.parse(openAiModelList(names.map((id) => ({ id, owned_by: owner }))));

const settings = { slug: "LOCAL", id: "local", name: "Local", kind: "openai", baseUrl: "http://127.0.0.1/v1" } as const;
/** A server of one's own costs nothing. */
const free = { inputPrice: 0, outputPrice: 0 };
const plain = { ...free, isWindowAssumed: true, contextTokens: 16_384, maxOutputTokens: 4096 };
const tried = { ...plain, triesPictures: true };

test("Ollama's models have the capabilities and the window that it reports, one request each", async () => {
  const shown: Record<string, object> = {
    "qwen3-vl:8b": {
      capabilities: ["completion", "vision", "tools", "thinking"],
      parameters: "temperature                    0.7\nnum_ctx                        32768",
      model_info: { "qwen3vl.context_length": 262_144 },
    },
    "gpt-oss:20b": { capabilities: ["completion", "tools", "thinking"], details: { family: "gptoss" } },
    "graded:1b": { capabilities: ["thinking"], thinking: { values: [false, "low", "high", "extreme"] } },
    "llama3:8b": { capabilities: ["completion"] },
    "old:7b": { license: "MIT" },
  };
  const { local, seen, renew } = await serve({
    "/v1/models": () => listOf("library", ...Object.keys(shown), "gone:1b"),
    "/api/show": ({ model }) => shown[model],
  });
  const none = { ...free, images: false, audio: false, tools: false };
  await local.list();
  await expect
    .poll(() => local.known().map(({ label, value, ...facts }) => [label, facts]))
    .toEqual([
      [
        "qwen3-vl:8b",
        {
          ...none,
          images: true,
          tools: true,
          reasoning: "effort",
          efforts: ["off", "medium"],
          contextTokens: 32_768,
          maxOutputTokens: 8192,
        },
      ],
      ["gpt-oss:20b", { ...none, ...plain, tools: true, reasoning: "effort", efforts: ["low", "medium", "high"] }],
      ["graded:1b", { ...none, ...plain, reasoning: "effort", efforts: ["off", "low", "high"] }],
      ["llama3:8b", { ...none, ...plain }],
      ["old:7b", tried],
      ["gone:1b", tried],
    ]);
  await expect.poll(() => seen.length).toBe(8);
  await renew();
  await expect.poll(() => seen.slice(8).toSorted()).toEqual(["/api/ps", "/api/show gone:1b", "/v1/models"]);
});

test("the only model of llama.cpp has the window and the kinds of input of the running server", async () => {
  const { local } = await serve({
    "/v1/models": () => listOf("llamacpp", "gemma.gguf"),
    "/props": () => ({
      default_generation_settings: { n_ctx: 8192 },
      modalities: { vision: true, audio: false },
      chat_template_caps: { supports_tools: true },
    }),
  });
  await local.list();
  const facts = { ...free, images: true, audio: false, tools: true, contextTokens: 8192, maxOutputTokens: 2048 };
  await expect.poll(() => local.known()).toEqual([{ label: "gemma.gguf", value: "LOCAL:gemma.gguf", ...facts }]);
});

test("the list does not wait for capabilities, which a server may never send", async () => {
  const { local, seen } = await serve({
    "/v1/models": () => listOf("library", "slow:1b"),
    "/api/show": (_, answer) => answer.untilClosed(),
  });
  expect(await local.list()).toEqual([{ label: "slow:1b", value: "LOCAL:slow:1b", ...tried }]);
  await expect.poll(() => seen).toEqual(["/v1/models", "/api/ps", "/api/show slow:1b"]);
});

test("capabilities in a too large document, or of the wrong types, are not taken", async () => {
  const { local, seen } = await serve({
    "/v1/models": () => listOf("library", "large:1b", "wrong:1b"),
    "/api/show": ({ model }) =>
      model === "large:1b"
        ? { capabilities: ["vision"], license: "x".repeat(1024 * 1024) }
        : { capabilities: "vision", parameters: 7, thinking: [] },
  });
  await local.list();
  await expect.poll(() => seen).toHaveLength(4);
  await expect.poll(() => local.known().map(({ images }) => images)).toEqual([undefined, undefined]);
});

test("only the list is requested from servers that report no capabilities", async () => {
  const { local, seen, renew } = await serve({ "/v1/models": () => listOf("vllm", "a", "b") });
  await local.list();
  await renew();
  await expect.poll(() => seen).toEqual(["/v1/models", "/v1/models"]);
});

test("Ollama's models have the window with which they are loaded, which a refresh reads after a reply", async () => {
  let loaded: object[] = [{ model: "other:1b", context_length: 8192 }];
  const { local, seen } = await serve({
    "/v1/models": () => listOf("library", "late:1b", "other:1b"),
    "/api/ps": () => ({ models: loaded }),
    "/api/show": () => ({ capabilities: ["completion"], parameters: "num_ctx 2048" }),
  });
  const windows = () => local.known().map(({ contextTokens, isWindowAssumed }) => [contextTokens, isWindowAssumed]);
  await local.list();
  await expect.poll(() => seen.length).toBe(4);
  await expect.poll(windows).toEqual([
    [2048, undefined],
    [8192, undefined],
  ]);
  loaded = [{ model: "late:1b", context_length: 32_768 }];
  await local.refreshFacts("late:1b");
  expect(windows()).toEqual([
    [32_768, undefined],
    [8192, undefined],
  ]);
});

test("the models of Ollama's cloud have no price, and those that cannot chat are not offered", async () => {
  const capabilities: Record<string, string[]> = {
    "qwen3:8b": ["completion"],
    "gpt-oss:120b-cloud": ["completion"],
    "vectors:latest": ["embedding"],
    "my-embed-helper:1b": ["completion"],
  };
  const { local } = await serve({
    "/v1/models": () => listOf("library", ...Object.keys(capabilities)),
    "/api/show": ({ model }) => ({ capabilities: capabilities[model] }),
  });
  await local.list();
  await expect
    .poll(() => local.known().map(({ label, inputPrice }) => [label, inputPrice]))
    .toEqual([
      ["qwen3:8b", 0],
      ["gpt-oss:120b-cloud", undefined],
      ["my-embed-helper:1b", 0],
    ]);
});

test("a router of llama.cpp is asked for loaded models only, and for another one after its first reply", async () => {
  const entry = (id: string, value: string, inputs: string[]) => ({
    id,
    owned_by: "llamacpp",
    status: { value },
    architecture: { input_modalities: inputs, output_modalities: ["text"] },
  });
  const { local, seen } = await serve({
    "/v1/models": () => ({ data: [entry("a", "loaded", ["text"]), entry("b", "unloaded", ["text", "image"])] }),
    "/props?model=a&autoload=false": () => ({ default_generation_settings: { n_ctx: 8192 } }),
    "/props?model=b&autoload=false": () => ({ default_generation_settings: { n_ctx: 4096 } }),
  });
  const windows = () => local.known().map(({ contextTokens, isWindowAssumed }) => [contextTokens, isWindowAssumed]);
  await local.list();
  expect(local.known().map(({ images }) => images)).toEqual([false, true]);
  await expect.poll(windows).toEqual([
    [8192, undefined],
    [16_384, true],
  ]);
  expect(seen).toEqual(["/v1/models", "/props?model=a&autoload=false"]);
  await local.refreshFacts("b");
  expect(windows()[1]).toEqual([4096, undefined]);
});

test("the facts of 200 models are read behind each list, four at the same time", async () => {
  const names = Array.from({ length: 205 }, (_, index) => `m${index}`);
  let running = 0;
  let most = 0;
  const four = Promise.withResolvers<void>();
  const { local, seen, renew } = await serve({
    "/v1/models": () => listOf("library", ...names),
    "/api/show": async () => {
      most = Math.max(most, ++running);
      if (running === 4) four.resolve();
      await four.promise;
      running--;
      return { capabilities: ["completion", "vision"] };
    },
  });
  await local.list();
  const described = () => local.known().filter(({ images }) => images).length;
  await expect.poll(described).toBe(200);
  expect([most, seen.filter((path) => path.startsWith("/api/show")).length]).toEqual([4, 200]);
  await renew();
  await expect.poll(described).toBe(205);
});
