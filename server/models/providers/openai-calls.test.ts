import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { promptOf, runModel } from "../../../testing/provider/model-calls.ts";
import { chatDialects } from "../../../testing/provider/openai/openai-chat-wire.ts";
import { openAiModel } from "../../../testing/provider/openai/openai-models.ts";
import { type ScriptedProvider, startScriptedProvider } from "../../../testing/provider/scripted-provider.ts";
import { textField } from "../../text/wire-json.ts";
import { promptMessage } from "../prompt-message.ts";

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider[Symbol.asyncDispose]());

const efforts = ["minimal", "low", "medium", "high"] as const;
const tokens = { input: 3000, cached: 2048, output: 700, reasoning: 512 };
const usage = { inputTokens: 3000, cachedInputTokens: 2048, outputTokens: 700, reasoningTokens: 512 };
const thoughts = "This is a secret thought. So is this.";
const answer = (question: string) => promptMessage("assistant", question);

describe("calls to OpenAI's Responses API", () => {
  test("a call to the Responses API carries the conversation literally, without storage, and the key in a header only", async () => {
    const { messages } = promptOf("Two\n\ndata: [DONE]");
    await runModel(openAiModel("responses", provider.baseUrl, { efforts }), {
      system: "Be kind.",
      messages: [...promptOf("One").messages, answer("Yes"), ...messages],
    });
    const [request] = provider.requests;
    expect(request?.path).toBe("/v1/responses");
    expect(request?.headers.authorization).toBe("Bearer sk-openai-canary");
    expect(request?.body).toEqual({
      model: "gpt-5-mini",
      instructions: "Be kind.",
      input: [
        { role: "user", content: [{ type: "input_text", text: "One" }] },
        { role: "assistant", content: [{ type: "output_text", text: "Yes" }] },
        { role: "user", content: [{ type: "input_text", text: "Two\n\ndata: [DONE]" }] },
      ],
      stream: true,
      store: false,
      max_output_tokens: 32_768,
      reasoning: { summary: "auto" },
    });
  });

  test("answers of the conversation are labelled as final for a model that asks for it", async () => {
    const model = openAiModel("responses", provider.baseUrl, { name: "gpt-6-luna", labelsAnswers: true });
    const messages = [...promptOf("One").messages, answer("Yes"), ...promptOf("Two").messages];
    expect((await runModel(model, { system: "", messages })).text).toBe(provider.reply);
    // The official types allow the field, and the official client sends the same item.
    const own: OpenAI.Responses.EasyInputMessage = { role: "assistant", phase: "final_answer", content: "Yes" };
    const client = new OpenAI({ baseURL: provider.baseUrl, apiKey: "sk-scripted", maxRetries: 0 });
    const input = [{ role: "user", content: "One" } as const, own, { role: "user", content: "Two" } as const];
    await client.responses.stream({ model: "gpt-6-luna", input, store: false }).finalResponse();
    const phases = provider.requests.map(({ body }) =>
      Array.isArray(body.input) ? body.input.map(({ phase }) => phase) : body.input,
    );
    expect(phases).toEqual([
      [undefined, "final_answer", undefined],
      [undefined, "final_answer", undefined],
    ]);
  });

  test("an answer at the end of the conversation is followed by a request to continue it", async () => {
    const prompt = { system: "", messages: [...promptOf("Hi").messages, answer("Once upon")] };
    const outcome = await runModel(openAiModel("responses", provider.baseUrl), prompt);
    expect(outcome.text).toBe(provider.reply);
    const [request] = provider.requests;
    expect(request?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(request?.messages.at(-1)?.content).toMatch(/^Continue exactly where/);
    expect(request?.body).not.toHaveProperty("instructions");
  });

  test.each([
    [{ efforts }, "high", { effort: "high", summary: "auto" }],
    [{ efforts, returnsReasoning: false }, "low", { effort: "low" }],
    [{ efforts, returnsReasoning: false }, undefined, undefined],
    [{ efforts: ["off", "low"], name: "gpt-5.1" }, "off", { effort: "none" }],
    [{ name: "gpt-4.1-nano" }, undefined, undefined],
  ] as const)("a model with %j and the effort %s sends the reasoning %j", async (facts, effort, reasoning) => {
    const prompt = { ...promptOf("Hi"), ...(effort && { effort }) };
    const outcome = await runModel(openAiModel("responses", provider.baseUrl, facts), prompt);
    expect(outcome.error).toBeUndefined();
    expect(provider.requests[0]?.body.reasoning).toEqual(reasoning);
  });
});

test("an organisation that OpenAI has not verified is answered without summaries, which are requested once", async () => {
  provider.isVerified = false;
  const model = openAiModel("responses", provider.baseUrl, { efforts });
  const prompt = { ...promptOf("Hi"), effort: "high" as const };
  expect(await runModel(model, prompt)).toMatchObject({ text: provider.reply, end: { reason: "complete" } });
  expect((await runModel(model, prompt)).text).toBe(provider.reply);
  expect(provider.requests.map(({ body }) => body.reasoning)).toEqual([
    { effort: "high", summary: "auto" },
    { effort: "high" },
    { effort: "high" },
  ]);
});

test("a server that refuses the field for token counts is called once more without it, and then always", async () => {
  const detail = [{ type: "extra_forbidden", loc: ["body", "stream_options", "include_usage"] }];
  provider.refuse = ({ body }) =>
    "stream_options" in body
      ? { status: 422, body: JSON.stringify({ object: "error", message: { detail } }) }
      : undefined;
  const model = openAiModel("chat-completions", provider.baseUrl);
  for (let count = 0; count < 2; count++) {
    expect(await runModel(model, promptOf("Hi"))).toMatchObject({ text: provider.reply, end: { reason: "complete" } });
  }
  expect(provider.chats.map(({ body }) => "stream_options" in body)).toEqual([true, false, false]);
});

test.each([
  ["high", "high"],
  ["off", "none"],
  [undefined, undefined],
] as const)("a chat completion with the effort %s sends %s", async (effort, sent) => {
  const model = openAiModel("chat-completions", provider.baseUrl, { name: "gpt-5.1", efforts: ["off", "high"] });
  const outcome = await runModel(model, { ...promptOf("Hi"), ...(effort && { effort }) });
  expect(outcome.text).toBe(provider.reply);
  expect(provider.requests[0]?.body.reasoning_effort).toBe(sent);
});

describe.each(["chat-completions", "responses"] as const)("both APIs of OpenAI: %s", (api) => {
  test.each([
    ["an effort that the model lacks", { efforts: ["off"] }, { effort: "off" }],
    ["an effort for a model without reasoning", { name: "gpt-4.1-nano", efforts: ["low"] }, { effort: "low" }],
    ["a temperature for a model that takes none", { takesTemperature: true }, { temperature: 0.5 }],
  ] as const)("OpenAI refuses %s, and the call is not repeated", async (_, facts, more) => {
    const { error } = await runModel(openAiModel(api, provider.baseUrl, facts), { ...promptOf("Hi"), ...more });
    expect(error).toMatchObject({ code: "assistant-unsuited", status: 400, isRetryable: false });
  });

  test("OpenAI receives a temperature for a model that takes one", async () => {
    const model = openAiModel(api, provider.baseUrl, { name: "gpt-4.1-nano", takesTemperature: true });
    expect((await runModel(model, { ...promptOf("Hi"), temperature: 0.5 })).text).toBe(provider.reply);
    expect(provider.requests[0]?.body.temperature).toBe(0.5);
  });

  test("OpenAI's reasoning alone is a reply without text", async () => {
    provider.reply = "";
    const outcome = await runModel(openAiModel(api, provider.baseUrl), promptOf("[scenario:reasoning-first]"));
    expect(outcome).toMatchObject({ text: "", reasoning: thoughts, end: { reason: "complete" } });
  });

  test("a key that OpenAI repeats is masked in the reasoning too", async () => {
    provider.next("held");
    const outcome = runModel(openAiModel(api, provider.baseUrl), promptOf("Hi"));
    for (const piece of ["It was sk-open", "ai-canary. And ", "sk-openai-"]) provider.think(piece);
    provider.release("Yes.");
    provider.finish();
    expect(await outcome).toMatchObject({ text: "Yes.", reasoning: "It was sk-open•••. And sk-openai-" });
  });
});

describe.each(chatDialects)("chat completions of %s", (dialect) => {
  test("reads the text, reasoning and token counts of a chat completion", async () => {
    provider.chatDialect = dialect;
    provider.tokens = tokens;
    const outcome = await runModel(
      openAiModel("chat-completions", provider.baseUrl),
      promptOf("[scenario:reasoning-first]"),
    );
    const { reasoningTokens, ...others } = usage;
    const counts = dialect === "gemini" ? others : { ...others, reasoningTokens };
    expect(outcome).toEqual({ text: provider.reply, reasoning: thoughts, end: { reason: "complete", usage: counts } });
  });

  test("reads a refusal of a chat completion", async () => {
    provider.chatDialect = dialect;
    const outcome = await runModel(openAiModel("chat-completions", provider.baseUrl), promptOf("[scenario:refusal]"));
    expect(outcome.end?.reason).toBe("refused");
  });
});

/** The official client reads what the scripted provider sends, so that the scripted wire is the real one. */
describe("agreement with OpenAI's client", () => {
  const client = () => new OpenAI({ baseURL: provider.baseUrl, apiKey: "sk-scripted", maxRetries: 0 });
  const question = { role: "user", content: "[scenario:reasoning-first]" } as const;
  const compared = async (api: "chat-completions" | "responses") => {
    const { text, reasoning, end } = await runModel(openAiModel(api, provider.baseUrl), promptOf(question.content));
    return { text, reasoning, usage: end?.usage };
  };
  const shared = { model: "gpt-5-mini", stream: true } as const;
  beforeEach(() => {
    provider.tokens = tokens;
  });

  test("OpenAI's client reads the same chat completion", async () => {
    const stream = client().chat.completions.stream({
      ...shared,
      messages: [question],
      stream_options: { include_usage: true },
    });
    let reasoning = "";
    for await (const { choices } of stream) {
      // The client passes on the field, and its types lack it.
      reasoning += textField(choices[0]?.delta, "reasoning_content");
    }
    const { choices, usage } = await stream.finalChatCompletion();
    expect(await compared("chat-completions")).toEqual({
      text: choices[0]?.message.content,
      reasoning,
      usage: {
        inputTokens: usage?.prompt_tokens,
        cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens,
        outputTokens: usage?.completion_tokens,
        reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
      },
    });
  });

  test("OpenAI's client reads the same response", async () => {
    const response = await client()
      .responses.stream({ ...shared, input: [question], store: false })
      .finalResponse();
    const summaries = response.output.flatMap((item) => (item.type === "reasoning" ? item.summary : []));
    const { usage } = response;
    expect([response.status, response.output.length]).toEqual(["completed", 2]);
    expect(await compared("responses")).toEqual({
      text: response.output_text,
      reasoning: summaries.map(({ text }) => text).join("\n\n"),
      usage: {
        inputTokens: usage?.input_tokens,
        cachedInputTokens: usage?.input_tokens_details.cached_tokens,
        cacheWriteTokens: usage?.input_tokens_details.cache_write_tokens,
        outputTokens: usage?.output_tokens,
        reasoningTokens: usage?.output_tokens_details.reasoning_tokens,
      },
    });
  });

  test("OpenAI's client reads the same refusal", async () => {
    const input = "[scenario:refusal]";
    const response = await client()
      .responses.stream({ ...shared, input })
      .finalResponse();
    expect(response.output).toMatchObject([{ type: "message", content: [{ type: "refusal" }] }]);
    expect((await runModel(openAiModel("responses", provider.baseUrl), promptOf(input))).end?.reason).toBe("refused");
  });

  test("OpenAI's client reads the same cut at the limit of tokens", async () => {
    const input = "[scenario:length]";
    const response = await client()
      .responses.stream({ ...shared, input })
      .finalResponse();
    expect([response.status, response.incomplete_details]).toEqual(["incomplete", { reason: "max_output_tokens" }]);
    expect((await runModel(openAiModel("responses", provider.baseUrl), promptOf(input))).end?.reason).toBe("length");
  });

  test.each([
    ["max_tokens", { max_tokens: 5 }],
    ["stream_options.include_usage", { stream_options: { include_usage: true } }],
    ["input[0].content[0]", { input: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] }],
  ])("OpenAI's client receives a refusal of %s by Responses", async (param, more) => {
    const body = { ...shared, input: "Hi", ...more };
    const refusal = await client()
      .post("/responses", { body })
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ status: 400, param });
  });
});
