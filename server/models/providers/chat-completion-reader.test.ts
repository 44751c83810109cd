import { describe, expect, test } from "vitest";
import { replay } from "../../../testing/provider/replay-stream.ts";
import { ChatCompletionReader } from "./chat-completion-reader.ts";

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const choice = (delta: object, more: object = {}) => event({ choices: [{ index: 0, delta, ...more }] });
const stop = choice({}, { finish_reason: "stop" });

async function read(...events: string[]) {
  const outcome = await replay(new ChatCompletionReader(), { chunks: [Buffer.from(events.join(""))] });
  const { text, reasoning, end, error } = outcome;
  return { text, reasoning, end, error };
}

describe("reasoning of a chat completion", () => {
  test("a reasoning field that is sent under both names is read once", async () => {
    const both = choice({ reasoning_content: "Hm. ", reasoning: "Hm. " });
    expect(await read(both, both, choice({ content: "Yes" }), stop)).toMatchObject({
      text: "Yes",
      reasoning: "Hm. Hm. ",
    });
  });

  test("a delta may hold reasoning and text", async () => {
    const delta = choice({ reasoning_content: "Hm.", content: "Yes" }, { finish_reason: "stop" });
    expect(await read(delta)).toMatchObject({ text: "Yes", reasoning: "Hm.", end: { reason: "complete" } });
  });

  test("elements of an array of content are read in order, and unknown ones pass", async () => {
    const content = [
      { type: "thinking", thinking: [{ type: "text", text: "First. " }, { type: "reference" }, null], closed: false },
      { type: "thinking", thinking: "Second." },
      { type: "text", text: "One" },
      { type: "image_url", image_url: "x" },
      { type: "text", text: 7 },
      "text",
      null,
    ];
    expect(await read(choice({ content }), choice({ content: " two" }), stop)).toMatchObject({
      text: "One two",
      reasoning: "First. Second.",
    });
  });
});

describe("tool calls of a chat completion", () => {
  const part = (fields: object) => choice({ tool_calls: [fields] });

  test.each([
    [
      "in parts",
      [
        part({ index: 1, id: "call_1", type: "function", function: { name: "search", arguments: "" } }),
        part({ id: "", function: { name: "", arguments: '{"q":' } }),
        part({ index: 1, function: { arguments: "1}" } }),
      ],
      ["search", '{"q":1}'],
    ],
    [
      "whole in one delta",
      [part({ function: { name: "now", arguments: "" }, extra_content: { google: { thought_signature: "x" } } })],
      ["now", "{}"],
    ],
    ["of another form", [choice({ tool_calls: { index: 0 } }), choice({ tool_calls: [null, 7] })], undefined],
  ])("calls of tools that were not offered are known: %s", async (_, calls, known) => {
    const outcome = await read(choice({ content: "I search." }), ...calls, choice({}, { finish_reason: "tool_calls" }));
    const [name, json] = known ?? [];
    expect(outcome).toMatchObject({
      text: "I search.",
      reasoning: "",
      end: known ? { reason: "calls", tools: { calls: [{ name, arguments: json }] } } : { reason: "complete" },
      error: undefined,
    });
  });
});

describe("Gemini's chat completions", () => {
  const google = (fields: object) => ({ extra_content: { google: fields } });
  const thought = (content: string) => choice({ content, ...google({ thought: true }) });
  const signed = (usage: object, finish_reason = "stop") =>
    event({
      choices: [{ index: 0, delta: { content: null, ...google({ thought_signature: "x" }) }, finish_reason }],
      usage,
    });

  test("Gemini's growing counts in each chunk leave reasoning out, and signatures are ignored", async () => {
    const counts = (completion_tokens: number, total_tokens: number) => ({
      prompt_tokens: 16,
      completion_tokens,
      total_tokens,
    });
    const delta = { role: "assistant", content: "391.", ...google({ thought_signature: "x" }) };
    const first = event({ choices: [{ index: 0, delta }], usage: counts(4, 500) });
    expect(await read(first, signed(counts(9, 627)), "data: [DONE]\n\n")).toEqual({
      text: "391.",
      reasoning: "",
      end: { reason: "complete", usage: { inputTokens: 16, outputTokens: 611 } },
      error: undefined,
    });
  });

  // Asked for by `include_thoughts`, which is not sent; Gemma behind the same API sends them unasked.
  test("Gemini's marked summaries of thoughts are reasoning, and the closing tag is a part of the first answer", async () => {
    const thoughts = [thought("<thought>**Plan**\n\nOne.\n"), thought("Two </think>.")];
    const answer = [
      choice({ content: "</thought>The <thought> is ", extra_content: null }),
      choice({ content: "391." }),
    ];
    expect(await read(...thoughts, ...answer, stop)).toMatchObject({
      text: "The <thought> is 391.",
      reasoning: "**Plan**\n\nOne.\nTwo </think>.",
    });
    expect(await read(thought("<thought>Cut off"), signed({}, "length"))).toMatchObject({
      text: "",
      reasoning: "Cut off",
      end: { reason: "length" },
    });
  });

  test("Gemini's answer that begins with the tag, without the mark, is text", async () => {
    const text = "<thought>XML</thought> as you asked";
    expect(await read(choice({ content: text }), stop)).toMatchObject({ text, reasoning: "" });
    expect(await read(choice({ content: text, ...google({ thought: "yes" }) }), stop)).toMatchObject({ text });
  });

  test("Gemini's blocked answer is a refusal", async () => {
    const outcome = await read(choice({}, { finish_reason: "content_filter: PROHIBITED_CONTENT" }));
    expect(outcome).toMatchObject({ text: "", end: { reason: "refused" } });
  });

  test.each([
    ["an array", event([{ error: { code: 503, message: "Overloaded.", status: "UNAVAILABLE" } }]), "assistant-busy"],
    ["an array without an error", event([{ choices: [] }]), "assistant-broken-off"],
    ["JSON that is no event", '{\n  "error": {\n    "code": 503\n  }\n}\n', "assistant-broken-off"],
  ])("Gemini's error in the stream as %s keeps the text before it", async (_, error, code) => {
    expect(await read(choice({ content: "One" }), error)).toMatchObject({
      text: "One",
      end: undefined,
      error: { code },
    });
  });
});

describe("token counts of a chat completion", () => {
  const counted = async (usage: object) => (await read(stop, event({ choices: [], usage }))).end?.usage;

  test.each([
    ["reasoning left out", { prompt_tokens: 9, completion_tokens: 2, total_tokens: 40 }, { outputTokens: 31 }],
    ["no total", { prompt_tokens: 9, completion_tokens: 2 }, { outputTokens: 2 }],
    ["a wrong total", { prompt_tokens: 9, completion_tokens: 2, total_tokens: 1 }, { outputTokens: 2 }],
    [
      "shares beyond their wholes",
      {
        prompt_tokens: 9,
        prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 4 },
        completion_tokens: 2,
        completion_tokens_details: { reasoning_tokens: 3 },
      },
      { cachedInputTokens: 9, cacheWriteTokens: 4, outputTokens: 2, reasoningTokens: 2 },
    ],
  ])("counts tokens with %s", async (_, usage, expected) => {
    expect(await counted(usage)).toEqual({ inputTokens: 9, ...expected });
  });

  test("the last of several token counts is valid", async () => {
    const growing = (completion_tokens: number) => ({ usage: { prompt_tokens: 9, completion_tokens } });
    const chunk = (content: string, count: number) => event({ choices: [{ delta: { content } }], ...growing(count) });
    const outcome = await read(chunk("One", 1), chunk(" two", 2), stop, event({ choices: [], ...growing(3) }));
    expect(outcome).toMatchObject({ text: "One two", end: { usage: { inputTokens: 9, outputTokens: 3 } } });
  });
});
