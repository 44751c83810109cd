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
  test("a field that is sent under both names is read once", async () => {
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

describe("tool calls pass without harm", () => {
  const part = (fields: object) => choice({ tool_calls: [fields] });

  test.each([
    [
      "in parts",
      [
        part({ index: 1, id: "call_1", type: "function", function: { name: "search", arguments: "" } }),
        part({ id: "", function: { name: "", arguments: '{"q":' } }),
        part({ index: 1, function: { arguments: "1}" } }),
      ],
    ],
    [
      "whole in one delta",
      [part({ function: { name: "now", arguments: "" }, extra_content: { google: { thought_signature: "x" } } })],
    ],
    ["of another form", [choice({ tool_calls: { index: 0 } }), choice({ tool_calls: [null, 7] })]],
  ])("%s", async (_, calls) => {
    const outcome = await read(choice({ content: "I search." }), ...calls, choice({}, { finish_reason: "tool_calls" }));
    expect(outcome).toEqual({
      text: "I search.",
      reasoning: "",
      end: { reason: "complete", usage: {} },
      error: undefined,
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
  ])("%s", async (_, usage, expected) => {
    expect(await counted(usage)).toEqual({ inputTokens: 9, ...expected });
  });

  test("the last of several counts is valid", async () => {
    const growing = (completion_tokens: number) => ({ usage: { prompt_tokens: 9, completion_tokens } });
    const chunk = (content: string, count: number) => event({ choices: [{ delta: { content } }], ...growing(count) });
    const outcome = await read(chunk("One", 1), chunk(" two", 2), stop, event({ choices: [], ...growing(3) }));
    expect(outcome).toMatchObject({ text: "One two", end: { usage: { inputTokens: 9, outputTokens: 3 } } });
  });
});
