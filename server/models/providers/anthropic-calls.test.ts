import Anthropic from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Effort } from "#contract/models/effort.ts";
import { anthropicModel, newerClaude, olderClaude } from "../../../testing/provider/anthropic/anthropic-models.ts";
import { promptOf, runModel } from "../../../testing/provider/model-calls.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { modelsOf, speaksMessages } from "../catalogue.ts";
import { defaultCatalogue } from "../default-catalogue.ts";
import type { Prompt } from "../model.ts";
import { promptMessage } from "../prompt-message.ts";
import type { MessagesFacts } from "./anthropic-request.ts";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider[Symbol.asyncDispose]());

const [older, newer] = [olderClaude, newerClaude];

const open = (facts: MessagesFacts) => anthropicModel(facts, provider.baseUrl);

/** Calls a model. Returns the body that the provider accepted. */
async function sent(facts: MessagesFacts, prompt: Partial<Prompt> = {}) {
  const outcome = await runModel(open(facts), { ...promptOf("Hi"), ...prompt });
  expect(outcome).toMatchObject({ text: provider.reply, end: { reason: "complete" } });
  return provider.requests.at(-1)?.body ?? {};
}

const half = { messages: [...promptOf("Hi").messages, promptMessage("assistant", "Once upon \n")] };

describe("reasoning of Anthropic's models", () => {
  test.each([
    [older, undefined, undefined, undefined],
    [older, "off", undefined, undefined],
    [older, "low", { type: "enabled", budget_tokens: 2048 }, undefined],
    [older, "high", { type: "enabled", budget_tokens: 8192 }, undefined],
    [{ ...older, maxOutputTokens: 4096 }, "low", { type: "enabled", budget_tokens: 1024 }, undefined],
    [{ ...older, maxOutputTokens: 1024 }, "high", undefined, undefined],
    [newer, undefined, { type: "adaptive", display: "summarized" }, undefined],
    [newer, "max", { type: "adaptive", display: "summarized" }, { effort: "max" }],
    [{ ...newer, returnsReasoning: false }, "low", { type: "adaptive", display: "omitted" }, { effort: "low" }],
    [{ ...newer, name: "claude-sonnet-4-6" }, "off", { type: "disabled" }, undefined],
    [{ ...older, reasoning: "none" }, "high", undefined, undefined],
  ] as [MessagesFacts, Effort | undefined, object | undefined, object | undefined][])(
    "a model with %j and the effort %s sends the reasoning %j",
    async (facts, effort, thinking, output) => {
      const body = await sent(facts, { ...(effort && { effort }) });
      expect([body.thinking, body.output_config]).toEqual([thinking, output]);
    },
  );

  test("a temperature is sent only without reasoning, to a model that takes one", async () => {
    const temperature = 0.5;
    expect((await sent(older, { temperature })).temperature).toBe(0.5);
    expect(await sent(older, { temperature, effort: "high" })).not.toHaveProperty("temperature");
    expect(await sent(newer, { temperature })).not.toHaveProperty("temperature");
    const switchable = { ...newer, name: "claude-sonnet-4-6", takesTemperature: true };
    expect((await sent(switchable, { temperature, effort: "off" })).temperature).toBe(0.5);
    expect(await sent(switchable, { temperature })).not.toHaveProperty("temperature");
  });
});

describe("answers to be continued", () => {
  test("an unfinished answer stays at the end for a model that continues it, without reasoning", async () => {
    const body = await sent(older, { ...half, effort: "high" });
    expect(body.messages).toEqual([
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Once upon" },
    ]);
    expect(body).not.toHaveProperty("thinking");
  });

  test("an unfinished answer is followed by a question for a model that refuses it at the end, with reasoning", async () => {
    const body = await sent(newer, { ...half, effort: "high" });
    expect(body.messages).toEqual([
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Once upon \n" },
      { role: "user", content: expect.stringMatching(/^Continue exactly where/) },
    ]);
    expect(body.thinking).toMatchObject({ type: "adaptive" });
  });
});

describe("the cache of prompts", () => {
  const mark = { cache_control: { type: "ephemeral" } };
  const long = "word ".repeat(700);
  const turns = (...texts: string[]) =>
    texts.map((text, at) => promptMessage(at % 2 === 0 ? "user" : "assistant", text));

  test("the system prompt and the last two questions are cached where enough tokens end with them", async () => {
    const body = await sent(older, { system: long, messages: turns("One", "Yes", "Two", "No", "Three") });
    expect(body.system).toEqual([{ type: "text", text: long, ...mark }]);
    expect(body.messages).toEqual([
      { role: "user", content: "One" },
      { role: "assistant", content: "Yes" },
      { role: "user", content: [{ type: "text", text: "Two", ...mark }] },
      { role: "assistant", content: "No" },
      { role: "user", content: [{ type: "text", text: "Three", ...mark }] },
    ]);
    expect(provider.requests.at(-1)).toMatchObject({
      system: long,
      messages: ["One", "Yes", "Two", "No", "Three"].map((content) => ({ content })),
    });
  });

  test("a short beginning of a prompt is not cached, and a long end is", async () => {
    const body = await sent(older, { messages: turns("One", long, "Two") });
    expect(body.system).toBe("Be kind.");
    expect(body.messages?.map(({ content }) => typeof content)).toEqual(["string", "string", "object"]);
  });

  test("below the minimum of the model, for a single prompt, and for a continuation nothing more is cached", async () => {
    const marksOf = (body: object) => JSON.stringify(body).split("cache_control").length - 1;
    expect(marksOf(await sent({ ...older, cacheMinTokens: 4096 }, { messages: turns(long) }))).toBe(0);
    expect(marksOf(await sent(older, { messages: turns(long), isOnce: true }))).toBe(0);
    const continued = await sent(newer, { messages: turns(long, "Half") });
    expect(marksOf(continued)).toBe(1);
    expect(continued.messages?.at(-1)?.content).toMatch(/^Continue/);
  });

  test("input from and to the cache is part of the input", async () => {
    provider.tokens = { input: 3000, cached: 2048, output: 700, reasoning: 512 };
    expect((await runModel(open(newer), promptOf("Hi"))).end?.usage).toEqual({
      inputTokens: 3000,
      cachedInputTokens: 2048,
      cacheWriteTokens: 0,
      outputTokens: 700,
      reasoningTokens: 512,
    });
  });
});

const claudes = modelsOf(defaultCatalogue).filter(speaksMessages);

test.each(claudes)("the provider accepts every request to $label of the built-in list", async (entry) => {
  const { value, prefill = false, reasoning = "none", takesTemperature = true, cacheMinTokens = 4096 } = entry;
  const name = value.replace("CLAUDE:", "");
  const facts = { ...entry, name, prefill, reasoning, takesTemperature, cacheMinTokens, returnsReasoning: true };
  for (const effort of [undefined, ...(entry.efforts ?? [])]) {
    for (const temperature of [undefined, 0.3]) {
      for (const prompt of [promptOf("Hi"), half, promptOf("word ".repeat(4000))]) {
        await sent(facts, { ...prompt, ...(effort && { effort }), ...(temperature !== undefined && { temperature }) });
      }
    }
  }
});

test.each([
  ["an unfinished answer", { ...newer, prefill: true }, half, "prefill"],
  ["a temperature", { ...newer, reasoning: "none", takesTemperature: true }, { temperature: 0.5 }, "temperature"],
  ["a budget", { ...newer, reasoning: "budget" }, { effort: "high" }, "thinking.type.enabled"],
  ["an effort", { ...newer, name: "claude-sonnet-4-6" }, { effort: "xhigh" }, "output_config.effort"],
  ["no reasoning", newer, { effort: "off" }, "thinking.type.disabled"],
] as [string, MessagesFacts, Partial<Prompt>, string][])(
  "a catalogue's entry whose model refuses %s fails once, and the failure names the field",
  async (_, facts, prompt, field) => {
    const { error } = await runModel(open(facts), { ...promptOf("Hi"), ...prompt });
    expect(error).toMatchObject({ code: "assistant-unsuited", field, isRetryable: false, trouble: "model" });
    expect(provider.requests).toHaveLength(1);
  },
);

/** The official client reads what the scripted provider sends, so that the scripted wire is the real one. */
describe("agreement with Anthropic's client", () => {
  const client = () => new Anthropic({ baseURL: provider.url, apiKey: "sk-scripted", maxRetries: 0 });
  const request = (content: string) => ({
    model: "claude-opus-5-5",
    max_tokens: 100,
    messages: [{ role: "user" as const, content }],
  });

  test("Anthropic's client reads the same text, reasoning and token counts", async () => {
    provider.tokens = { input: 3000, cached: 2048, output: 700, reasoning: 512 };
    const { content, usage, stop_reason } = await client()
      .messages.stream(request("[scenario:reasoning-first]"))
      .finalMessage();
    expect(content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    const joined = (type: "text" | "thinking") =>
      content.map((block) => (block.type === type ? ("text" in block ? block.text : block.thinking) : "")).join("");
    expect(await runModel(open(newer), promptOf("[scenario:reasoning-first]"))).toEqual({
      text: joined("text"),
      reasoning: joined("thinking"),
      end: {
        reason: stop_reason === "end_turn" ? "complete" : stop_reason,
        usage: {
          inputTokens: usage.input_tokens + (usage.cache_read_input_tokens ?? 0),
          cachedInputTokens: usage.cache_read_input_tokens,
          cacheWriteTokens: usage.cache_creation_input_tokens,
          outputTokens: usage.output_tokens,
          reasoningTokens: usage.output_tokens_details?.thinking_tokens,
        },
      },
    });
  });

  test.each([
    ["[scenario:refusal]", "refusal"],
    ["[scenario:length]", "max_tokens"],
  ])("Anthropic's client reads the same end of %s", async (question, reason) => {
    const { stop_reason } = await client().messages.stream(request(question)).finalMessage();
    expect(stop_reason).toBe(reason);
  });

  test.each([
    ["an unfinished answer", { messages: half.messages }],
    ["a temperature with reasoning", { model: "claude-sonnet-4-6", thinking: { type: "adaptive" }, temperature: 0.5 }],
    [
      "a budget as large as the limit",
      { model: "claude-haiku-4-5", thinking: { type: "enabled", budget_tokens: 2000 } },
    ],
    ["a budget for a newer model", { max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 2000 } }],
    ["adaptive reasoning of an older model", { model: "claude-haiku-4-5", thinking: { type: "adaptive" } }],
    ["an unknown field", { frequency_penalty: 1 }],
  ])("Anthropic's client receives a refusal of %s", async (_, more) => {
    // Fields that the client's types exclude are sent as they are.
    const body = { ...request("Hi"), ...more } as Anthropic.MessageCreateParamsNonStreaming;
    await expect(client().messages.create(body)).rejects.toMatchObject({
      status: 400,
      type: "invalid_request_error",
    });
  });
});
