import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { promptOf, runModel, unusedAddress } from "../../../testing/provider/model-calls.ts";
import { openAiModel } from "../../../testing/provider/openai/openai-models.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { defaultCatalogue } from "../default-catalogue.ts";
import type { Model, ModelEnd } from "../model.ts";
import { type Models, openModels } from "../open-models.ts";
import { promptMessage } from "../prompt-message.ts";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider[Symbol.asyncDispose]());

function open(baseUrl = provider.baseUrl): Models {
  const models = openModels({
    productName: () => "Parley",
    catalogue: defaultCatalogue,
    openai: { baseUrl, apiKey: "sk-openai-canary" },
    anthropic: { baseUrl, apiKey: "sk-ant-canary" },
    local: { baseUrl },
  });
  onTestFinished(() => models[Symbol.asyncDispose]());
  return models;
}

async function specific(models: Models, value: string): Promise<Model> {
  const choice = await models.choose(value);
  if (choice.kind !== "specific") throw new Error(`${value} is no specific choice`);
  return choice.model;
}

type Expected = {
  /** Default: the provider's whole reply. */
  text?: string;
  end?: ModelEnd["reason"];
  code?: string;
  isRetryable?: boolean;
  retryAfterMs?: number;
};

const both = ["GPT:gpt-5-mini", "CLAUDE:claude-sonnet-4-5-20250929"] as const;

test.each(["finish", "breakOff"] as const)(
  "I8 the beginning of a key at the end of a reply is emitted like other text: %s",
  async (end) => {
    const model = await specific(open(), both[0]);
    provider.next("held");
    const outcome = runModel(model, promptOf("What were you sent?"));
    for (const text of ["It was ", "sk-open"]) provider.release(text);
    provider[end]();
    expect((await outcome).text).toBe("It was sk-open");
  },
);

describe("calls to OpenAI", () => {
  test("a call to OpenAI carries the conversation literally, and the key in a header only", async () => {
    const model = await specific(open(), both[0]);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it must stay as it is
    const question = "${OPENAI_API_KEY} {{token}}\n\ndata: [DONE]\n\n";
    const outcome = await runModel(model, {
      system: "Be kind.",
      messages: [
        promptMessage("user", "One"),
        promptMessage("user", "Two"),
        promptMessage("assistant", "Yes"),
        promptMessage("user", question),
      ],
    });
    expect(outcome).toEqual({
      text: provider.reply,
      end: {
        reason: "complete",
        usage: { inputTokens: 21, cachedInputTokens: 0, outputTokens: 12, reasoningTokens: 0 },
      },
    });
    const [request] = provider.requests;
    expect(request).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: "Bearer sk-openai-canary" },
    });
    expect(request?.body).toEqual({
      model: "gpt-5-mini",
      messages: [
        { role: "system", content: "Be kind." },
        { role: "user", content: "One\n\nTwo" },
        { role: "assistant", content: "Yes" },
        { role: "user", content: question },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_completion_tokens: 32_768,
    });
  });

  test("a call to OpenAI asks for a continuation if the conversation ends with an answer", async () => {
    const model = await specific(open(), both[0]);
    await runModel(model, {
      system: "",
      messages: [...promptOf("Hi").messages, promptMessage("assistant", "Once")],
    });
    expect(provider.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(provider.requests[0]?.messages.at(-1)?.content).toMatch(/^Continue exactly where/);
  });
});

test("a call to a local server carries no key and no limit of OpenAI's own", async () => {
  await runModel(await specific(open(), "LOCAL:qwen3:8b"), promptOf("Hi"));
  const [request] = provider.chats;
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.body).toMatchObject({ model: "qwen3:8b", stream: true });
  expect(request?.body).not.toHaveProperty("max_completion_tokens");
});

test("a call to Anthropic begins with a question, alternates roles and omits empty messages", async () => {
  const outcome = await runModel(await specific(open(), both[1]), {
    system: "Be kind.",
    messages: [
      promptMessage("assistant", "Welcome"),
      promptMessage("user", "One"),
      promptMessage("assistant", " \n"),
      promptMessage("user", "Two"),
      promptMessage("assistant", "Half an answer \n"),
    ],
  });
  expect(outcome).toEqual({
    text: provider.reply,
    end: {
      reason: "complete",
      usage: { inputTokens: 21, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 12 },
    },
  });
  const [request] = provider.requests;
  expect(request).toMatchObject({
    path: "/v1/messages",
    headers: { "x-api-key": "sk-ant-canary", "anthropic-version": "2023-06-01" },
  });
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.body).toEqual({
    model: "claude-sonnet-4-5-20250929",
    max_tokens: 16_384,
    system: "Be kind.",
    messages: [
      { role: "user", content: "(The beginning of this conversation is not shown.)" },
      { role: "assistant", content: "Welcome" },
      { role: "user", content: "One\n\nTwo" },
      { role: "assistant", content: "Half an answer" },
    ],
    stream: true,
  });
});

/** Opens a model by each wire format. */
const wires: Readonly<Record<string, (baseUrl: string) => Promise<Model>>> = {
  ...Object.fromEntries(both.map((value) => [value, (baseUrl: string) => specific(open(baseUrl), value)])),
  responses: async (baseUrl) => openAiModel("responses", baseUrl),
};

describe.each(Object.keys(wires))("calls to %s", (wire) => {
  const openModel = async (baseUrl = provider.baseUrl) => {
    const model = await wires[wire]?.(baseUrl);
    if (!model) throw new Error(`There is no wire format ${wire}`);
    return model;
  };
  const half = "Hello! This is a scripted";

  test.each([
    ["fast", { end: "complete" }],
    ["slow", { end: "complete" }],
    ["multi-byte", { end: "complete" }],
    ["reasoning-first", { end: "complete" }],
    ["length", { end: "length" }],
    ["refusal", { text: "", end: "refused" }],
    ["error-before-first-word", { text: "", code: "assistant-failed", isRetryable: true }],
    ["overloaded", { text: "", code: "assistant-busy", isRetryable: true }],
    ["rate-limited", { text: "", code: "assistant-busy", isRetryable: true, retryAfterMs: 7000 }],
    ["wrong-key", { text: "", code: "assistant-misconfigured", isRetryable: false }],
    ["unknown-model", { text: "", code: "assistant-model-gone", isRetryable: false }],
    ["redirect", { text: "", code: "assistant-misconfigured", isRetryable: false }],
    ["too-long", { text: "", code: "assistant-too-long", isRetryable: false }],
    ["html-instead", { text: "", code: "assistant-failed", isRetryable: true }],
    ["broken-off", { text: half, code: "assistant-broken-off", isRetryable: true }],
    ["ends-without-done", { text: half, code: "assistant-broken-off", isRetryable: true }],
    ["garbage", { text: half, code: "assistant-broken-off", isRetryable: true }],
    ["error-mid-stream", { text: half, code: "assistant-busy", isRetryable: true }],
  ] as const)("the scenario %s has the expected outcome, with one call", async (scenario, expected) => {
    provider.reply = "Hello! This is a scripted reply, with 日本語 and 👩‍👩‍👧.";
    provider.paceMs = 1;
    const model = await openModel();
    const { text, end, error } = await runModel(model, promptOf(`Hi [scenario:${scenario}]`));
    const { end: reason, text: wanted, ...failure }: Expected = expected;
    expect(text).toBe(wanted ?? provider.reply);
    expect(end?.reason).toBe(reason);
    expect(error ?? {}).toMatchObject(failure);
    expect(provider.requests).toHaveLength(1);
    expect(JSON.stringify([error?.message, String(error?.cause)])).not.toContain("canary");
  });

  test.each(["silent", "stalled", "held"] as const)(
    "an abort in the scenario %s closes the connection",
    async (scenario) => {
      const model = await openModel();
      const stop = new AbortController();
      const outcome = runModel(model, promptOf(`Hi [scenario:${scenario}]`), stop.signal);
      const request = await provider.chat(1);
      stop.abort(new Error("stopped"));
      await expect(outcome).rejects.toThrow("stopped");
      await request.closed;
      expect(request.isAborted).toBe(true);
    },
  );

  test("each word arrives as soon as it is written", async () => {
    const model = await openModel();
    const pieces: string[] = [];
    let arrived = () => {};
    const onText = (piece: string) => {
      pieces.push(piece);
      arrived();
    };
    const sink = { onText, onReasoning() {}, onTakeBack() {}, onCall() {}, onPicture() {}, onLife() {} };
    const end = model.stream(promptOf("[scenario:held]"), sink, new AbortController().signal);
    for (const word of ["One", " two", " three"]) {
      const coming = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      provider.think("Hm.");
      provider.ping();
      provider.release(word);
      await coming;
      expect(pieces.at(-1)).toBe(word);
    }
    provider.finish("length");
    expect(await end).toMatchObject({ reason: "length" });
  });

  test("a long reply arrives completely", async () => {
    const model = await openModel();
    const { text } = await runModel(model, promptOf("[scenario:long:2000]"));
    expect(text.split(" ")).toEqual(Array.from({ length: 2000 }, (_, index) => `word${index + 1}`));
  });

  test("a provider that echoes its request reveals only the prompt", async () => {
    const { text } = await runModel(await openModel(), promptOf("[scenario:echo]"));
    expect(JSON.parse(text)).toEqual({ system: "Be kind.", messages: [{ role: "user", content: "[scenario:echo]" }] });
  });

  test("a provider that refuses the connection is unreachable", async () => {
    const { error } = await runModel(await openModel(await unusedAddress()), promptOf("Hi"));
    expect(error).toMatchObject({ code: "assistant-unreachable", isRetryable: true });
  });
});
