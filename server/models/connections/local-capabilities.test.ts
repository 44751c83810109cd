import { expect, onTestFinished, test } from "vitest";
import type { AnswerWriter } from "../../../testing/provider/answer-writer.ts";
import { openAiModelList } from "../../../testing/provider/openai/openai-chat-wire.ts";
import type { ProviderRequest } from "../../../testing/provider/provider-request.ts";
import { startProvider } from "../../../testing/provider/provider-server.ts";
import { Outbound } from "../../outbound/outbound.ts";
import { ProviderConnection } from "../providers/provider-connection.ts";
import { DiscoveredModels } from "./discovered-models.ts";

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
const plain = { isWindowAssumed: true, contextTokens: 16_384, maxOutputTokens: 4096 };

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
  const none = { images: false, audio: false, tools: false };
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
      ["gpt-oss:20b", { ...none, tools: true, reasoning: "effort", efforts: ["low", "medium", "high"], ...plain }],
      ["graded:1b", { ...none, reasoning: "effort", efforts: ["off", "low", "high"], ...plain }],
      ["llama3:8b", { ...none, ...plain }],
      ["old:7b", plain],
      ["gone:1b", plain],
    ]);
  await expect.poll(() => seen.length).toBe(7);
  await renew();
  await expect.poll(() => seen.slice(7)).toContain("/v1/models");
  await expect.poll(() => seen.slice(7).toSorted()).toEqual(["/api/show gone:1b", "/v1/models"]);
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
  const facts = { images: true, audio: false, tools: true, contextTokens: 8192, maxOutputTokens: 2048 };
  await expect.poll(() => local.known()).toEqual([{ label: "gemma.gguf", value: "LOCAL:gemma.gguf", ...facts }]);
});

test("the list does not wait for capabilities, which a server may never send", async () => {
  const { local, seen } = await serve({
    "/v1/models": () => listOf("library", "slow:1b"),
    "/api/show": (_, answer) => answer.untilClosed(),
  });
  expect(await local.list()).toEqual([{ label: "slow:1b", value: "LOCAL:slow:1b", ...plain }]);
  await expect.poll(() => seen).toEqual(["/v1/models", "/api/show slow:1b"]);
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
  await expect.poll(() => seen).toHaveLength(3);
  await expect.poll(() => local.known().map(({ images }) => images)).toEqual([undefined, undefined]);
});

test("only the list is requested from servers that report no capabilities", async () => {
  const { local, seen, renew } = await serve({ "/v1/models": () => listOf("vllm", "a", "b") });
  await local.list();
  await renew();
  await expect.poll(() => seen).toEqual(["/v1/models", "/v1/models"]);
});
