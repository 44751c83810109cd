import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SIGNATURE } from "../../../testing/provider/anthropic/anthropic-content.ts";
import { anthropicMessagesWire } from "../../../testing/provider/anthropic/anthropic-messages-wire.ts";
import { anthropicModel, newerClaude, olderClaude } from "../../../testing/provider/anthropic/anthropic-models.ts";
import { runModel } from "../../../testing/provider/model-calls.ts";
import { chatDialects, chatDialectWire, GEMINI_SIGNATURE } from "../../../testing/provider/openai/openai-chat-wire.ts";
import { openAiModel } from "../../../testing/provider/openai/openai-models.ts";
import { ENCRYPTED, openAiResponsesWire } from "../../../testing/provider/openai/openai-responses-wire.ts";
import { replay } from "../../../testing/provider/replay-stream.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import type { Wire, WireCall } from "../../../testing/provider/wire.ts";
import type { Model, Prompt, PromptMessage } from "../model.ts";
import { mostPromptTokens } from "../most-tokens.ts";
import { promptMessage } from "../prompt-message.ts";
import { likelyPromptTokens, likelyTokens } from "../prompt-window.ts";
import { AnthropicReader } from "../providers/anthropic.ts";
import { ChatCompletionReader } from "../providers/chat-completion-reader.ts";
import type { WireReader } from "../providers/event-stream-call.ts";
import { ResponsesReader } from "../providers/responses-reader.ts";
import type { AnswerCalls, OfferedTool, ProviderTurn, ToolCall } from "./tool-call.ts";

const search: OfferedTool = {
  name: "web_search",
  description: "Searches the web.",
  parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
};
const clock: OfferedTool = { name: "current_time", description: "Tells the time.", parameters: { type: "object" } };
const scripted: WireCall[] = [
  { id: "call_a1b2c3d", name: "web_search", arguments: '{"query":"Zürich 🏔️ \\"now\\""}' },
  { id: "call_e5f6g7h", name: "current_time", arguments: "" },
];
const expected: ToolCall[] = scripted.map((call) => ({ ...call, arguments: call.arguments || "{}" }));

type Format = { name: string; wire: Wire; reader: (hasTools: boolean) => WireReader };
const formats: readonly Format[] = [
  ...chatDialects.map((name) => ({
    name,
    wire: chatDialectWire(name),
    reader: (hasTools: boolean) => new ChatCompletionReader({ hasTools }),
  })),
  { name: "responses", wire: openAiResponsesWire, reader: (hasTools) => new ResponsesReader({ hasTools }) },
  { name: "messages", wire: anthropicMessagesWire, reader: (hasTools) => new AnthropicReader({ hasTools }) },
];

function streamOf({ wire }: Format, end: "calls" | "length" = "calls"): Buffer {
  const encoder = wire.encodeAnswer("gpt-5-mini");
  const pieces = [encoder.reasoning("Let me look."), encoder.text("I look it up. "), encoder.calls(scripted)];
  return Buffer.from([encoder.start(), ...pieces, encoder.finish(end), encoder.endMark()].join(""));
}

describe.each(formats)("calls in a stream of $name", (format) => {
  test("calls are the same wherever the stream is split, with what goes back to the provider", async () => {
    const bytes = streamOf(format);
    const whole = await replay(format.reader(true), { chunks: [bytes] });
    expect(whole).toMatchObject({
      text: "I look it up. ",
      reasoning: "Let me look.",
      calls: scripted.map((call) => call.name),
    });
    expect(whole.end).toMatchObject({ reason: "calls", tools: { calls: expected } });
    expect(whole.end?.tools?.turn).toBeDefined();
    for (let at = 1; at < bytes.length; at++) {
      const { end } = await replay(format.reader(true), { chunks: [bytes.subarray(0, at), bytes.subarray(at)] });
      expect(end).toEqual(whole.end);
    }
  });

  test("calls of an answer that was cut at its limit are dropped, because they may be incomplete", async () => {
    const { end } = await replay(format.reader(true), { chunks: [streamOf(format, "length")] });
    expect(end?.reason).toBe("length");
    expect(end?.tools).toBeUndefined();
  });

  test("calls of tools that were not offered are known, without anything to return", async () => {
    const { end } = await replay(format.reader(false), { chunks: [streamOf(format)] });
    expect(end).toMatchObject({ reason: "calls", tools: { calls: expected } });
    expect(end?.tools?.turn).toBeUndefined();
  });
});

/** Reads chunks of a chat completion with these `tool_calls`, and returns the calls. */
async function callsOf(...deltas: object[]): Promise<AnswerCalls | undefined> {
  const chunk = (delta: object, reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
  const stream = `${deltas.map((delta) => chunk({ tool_calls: [delta] })).join("")}${chunk({}, "tool_calls")}data: [DONE]\n\n`;
  const { end, error } = await replay(new ChatCompletionReader({ hasTools: true }), { chunks: [Buffer.from(stream)] });
  if (error) throw error;
  return end?.tools;
}

const part = (call: { index?: number; id?: string; name?: string; arguments?: unknown }) => {
  const { index, id, ...called } = call;
  return { ...(index !== undefined && { index }), ...(id !== undefined && { id }), function: called };
};

describe("quirks of calls in chat completions", () => {
  test("indices may begin at 1, with empty ids and names in later deltas", async () => {
    const tools = await callsOf(
      part({ index: 1, id: "a", name: "web_search", arguments: "" }),
      part({ index: 1, id: "", name: "", arguments: '{"query":' }),
      part({ index: 2, id: "b", name: "current_time", arguments: "{}" }),
      part({ index: 1, arguments: '"x"}' }),
    );
    expect(tools?.calls).toEqual([
      { id: "a", name: "web_search", arguments: '{"query":"x"}' },
      { id: "b", name: "current_time", arguments: "{}" },
    ]);
  });

  test("a call without an id gets one, and arguments may be an object", async () => {
    const tools = await callsOf(
      part({ name: "web_search", arguments: { query: "x" } }),
      part({ name: "web_search", arguments: { query: "y" } }),
    );
    expect(tools?.calls).toEqual([
      { id: "call_0", name: "web_search", arguments: '{"query":"x"}' },
      { id: "call_1", name: "web_search", arguments: '{"query":"y"}' },
    ]);
  });

  test("an id that a gateway invents anew for each delta begins no further call", async () => {
    const tools = await callsOf(
      part({ index: 0, id: "x1", name: "web_search", arguments: "{" }),
      part({ index: 0, id: "x2", arguments: "}" }),
    );
    expect(tools?.calls).toEqual([{ id: "x1", name: "web_search", arguments: "{}" }]);
  });

  test("a name that no API accepts in a later request is changed", async () => {
    expect((await callsOf(part({ id: "a", name: "web.search/now", arguments: "" })))?.calls).toMatchObject([
      { name: "web_search_now" },
    ]);
  });

  test.each([
    ["calls", Array.from({ length: 65 }, (_, index) => part({ index, id: `c${index}`, name: "web_search" }))],
    ["arguments", [part({ index: 0, id: "a", name: "web_search", arguments: "x".repeat(500_001) })]],
  ])("an answer with too many or too long %s breaks off", async (_, deltas) => {
    await expect(callsOf(...deltas)).rejects.toMatchObject({ code: "assistant-broken-off" });
  });
});

test("item ids of a response may change between the beginning and the end of a call", async () => {
  const responses = formats.find(({ name }) => name === "responses");
  if (!responses) throw new Error("The format is missing");
  const changed = streamOf(responses)
    .toString()
    .replaceAll('"fc_2","status":"in_progress"', '"other","status":"in_progress"');
  const { end } = await replay(responses.reader(true), { chunks: [Buffer.from(changed)] });
  expect(changed).toContain('"other"');
  expect(end?.tools?.calls).toEqual(expected);
});

describe("loops of calls", () => {
  let provider: ScriptedProvider;
  beforeAll(async () => {
    provider = await startScriptedProvider();
  });
  afterAll(() => provider[Symbol.asyncDispose]());
  beforeEach(() => provider.reset());

  const answered = (calls: readonly ToolCall[], turn?: ProviderTurn): PromptMessage[] => [
    {
      role: "assistant",
      content: [{ type: "text", text: "I look it up." }, ...calls.map((call) => ({ type: "call" as const, call }))],
      ...(turn && { turn }),
    },
    {
      role: "tool",
      content: calls.map(({ id, name }) => ({
        type: "result" as const,
        result: { callId: id, name, text: `Result of ${name}`, isError: false },
      })),
    },
  ];
  const prompt = (...messages: PromptMessage[]): Prompt => ({
    system: "Be kind.",
    messages: [promptMessage("user", "What is new?"), ...messages],
    tools: [search, clock],
    effort: "high",
  });

  const efforts = ["low", "medium", "high"] as const;
  const models: readonly [string, (baseUrl: string) => Model][] = [
    ["responses", (baseUrl) => openAiModel("responses", baseUrl, { efforts })],
    ["messages", (baseUrl) => anthropicModel(newerClaude, baseUrl)],
    ["messages", (baseUrl) => anthropicModel(olderClaude, baseUrl)],
    ...chatDialects.map((name): [string, (baseUrl: string) => Model] => [
      name,
      (baseUrl) => openAiModel("chat-completions", baseUrl),
    ]),
  ];

  test.each(models)("results of another model's calls are accepted by %s", async (name, open) => {
    const dialect = chatDialects.find((each) => each === name);
    // Gemini refuses calls after the last question that it has not signed.
    if (dialect) provider.chatDialect = dialect === "gemini" ? "openai" : dialect;
    const calls = [{ id: "call00001", name: "web_search", arguments: '{"query":"x"}' }];
    const outcome = await runModel(open(provider.baseUrl), prompt(...answered(calls)));
    expect(outcome).toMatchObject({ text: provider.reply, end: { reason: "complete" } });
  });

  test("I8 a key that a provider repeats is masked in arguments, and an answer with it does not go back", async () => {
    provider.calls = () => [{ id: "call_1", name: "web_search", arguments: '{"query":"sk-openai-canary"}' }];
    const { end } = await runModel(openAiModel("chat-completions", provider.baseUrl), prompt());
    expect(end?.tools).toEqual({ calls: [{ id: "call_1", name: "web_search", arguments: '{"query":"•••"}' }] });
  });

  test("tools, results and what goes back count in the window, and more than they can cost in the money", () => {
    const turn = { format: "messages", body: [{ type: "thinking", thinking: "x".repeat(3000) }] } as const;
    const calls = [{ id: "a", name: "web_search", arguments: '{"query":"x"}' }];
    const bare = { system: "Be kind.", messages: [promptMessage("user", "What is new?")] };
    const full = prompt(...answered(calls, turn));
    const likely = likelyPromptTokens(full) - likelyPromptTokens(bare);
    expect(likely).toBeGreaterThan(likelyTokens(JSON.stringify([search, clock])));
    expect(mostPromptTokens(full).most - mostPromptTokens(bare).most).toBeGreaterThan(3000 + likely);
  });

  test("the official clients read the scripted calls", async () => {
    provider.calls = () => scripted;
    const openAi = new OpenAI({ baseURL: provider.baseUrl, apiKey: "sk-scripted", maxRetries: 0 });
    const { description, name, parameters } = search;
    const tool = { description, name, parameters: { ...parameters } };
    const completion = await openAi.chat.completions
      .stream({
        model: "gpt-5-mini",
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ type: "function", function: tool }],
      })
      .finalMessage();
    expect(completion.tool_calls?.map((call) => call.type === "function" && call.function.name)).toEqual([
      search.name,
      clock.name,
    ]);
    const { output } = await openAi.responses
      .stream({
        model: "gpt-5-mini",
        input: "Hi",
        store: false,
        tools: [{ type: "function", ...tool, strict: false }],
      })
      .finalResponse();
    expect(output.flatMap((item) => (item.type === "function_call" ? [item.name] : []))).toEqual([
      search.name,
      clock.name,
    ]);
    const anthropic = new Anthropic({ baseURL: provider.url, apiKey: "sk-ant-scripted", maxRetries: 0 });
    const { content, stop_reason } = await anthropic.messages
      .stream({
        model: "claude-opus-5-5",
        max_tokens: 1000,
        messages: [{ role: "user", content: "Hi" }],
        tools: [{ name, description, input_schema: { type: "object", properties: { query: { type: "string" } } } }],
      })
      .finalMessage();
    expect(stop_reason).toBe("tool_use");
    expect(content.flatMap((block) => (block.type === "tool_use" ? [block.input] : []))).toEqual([
      { query: 'Zürich 🏔️ "now"' },
      {},
    ]);
  });

  test.each(models)(
    "a loop of calls with %s returns results and what the provider needs, and ends in text",
    async (name, open) => {
      const dialect = chatDialects.find((each) => each === name);
      if (dialect) provider.chatDialect = dialect;
      provider.scenario = "reasoning-first";
      provider.calls = ({ messages }) => (messages.some(({ role }) => role === "tool") ? [] : scripted);
      const model = open(provider.baseUrl);
      const first = await runModel(model, prompt());
      expect(first).toMatchObject({ end: { reason: "calls", tools: { calls: expected } } });
      const { calls = [], turn } = first.end?.tools ?? {};
      const second = await runModel(model, prompt(...answered(calls, turn)));
      expect(second).toMatchObject({ text: provider.reply, end: { reason: "complete" } });
      const request = provider.requests[1];
      expect(request?.messages.filter(({ role }) => role === "tool")).toEqual(
        calls.map(({ id, name }) => ({ role: "tool", content: `Result of ${name}`, callId: id })),
      );
      const body = JSON.stringify(request?.body);
      const returned = { responses: ENCRYPTED, messages: SIGNATURE, gemini: GEMINI_SIGNATURE, deepseek: "So is this." };
      expect(body).toContain(Object.entries(returned).find(([each]) => each === name)?.[1] ?? "call_a1b2c3d");
    },
  );
});
