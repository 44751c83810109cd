import { describe, expect, test } from "vitest";
import { replay } from "../../../testing/provider/replay-stream.ts";
import { ResponsesReader } from "./responses-reader.ts";

const event = (type: string, fields: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const text = (delta: string, output_index = 0) =>
  event("response.output_text.delta", { item_id: `msg_${output_index}`, output_index, content_index: 0, delta });
const summary = (delta: string, summary_index: number, output_index = 0) =>
  event("response.reasoning_summary_text.delta", { output_index, summary_index, delta });
const completed = event("response.completed", { response: { status: "completed", incomplete_details: null } });

async function read(...events: string[]) {
  const outcome = await replay(new ResponsesReader(), { chunks: [Buffer.from(events.join(""))] });
  const { text: told, reasoning, end, error } = outcome;
  return { text: told, reasoning, reason: end?.reason, error };
}

describe("reasoning of a response", () => {
  test("summaries of a response's reasoning are joined by a blank line", async () => {
    const events = [summary("One ", 0), summary("two", 0), summary("Three", 1), summary("Four", 0, 2), text("Yes", 3)];
    expect(await read(...events, completed)).toMatchObject({ text: "Yes", reasoning: "One two\n\nThree\n\nFour" });
  });

  test("a message of commentary counts as reasoning, whatever its id is", async () => {
    const item = { type: "message", role: "assistant", content: [] };
    const outcome = await read(
      summary("Thought", 0),
      event("response.output_item.added", { output_index: 1, item: { ...item, id: "a", phase: "commentary" } }),
      event("response.output_text.delta", { item_id: "b", output_index: 1, content_index: 0, delta: "I search" }),
      event("response.output_text.delta", { item_id: "c", output_index: 1, content_index: 0, delta: " now." }),
      event("response.output_item.done", { output_index: 1, item: { ...item, id: "d", phase: "commentary" } }),
      event("response.output_item.added", { output_index: 2, item: { ...item, id: "a", phase: "final_answer" } }),
      event("response.output_text.delta", { item_id: "a", output_index: 2, content_index: 0, delta: "Found." }),
      completed,
    );
    expect(outcome).toMatchObject({ text: "Found.", reasoning: "Thought\n\nI search now." });
  });

  test("the items of a response may lack their index", async () => {
    const item = { type: "message", role: "assistant", content: [] };
    const outcome = await read(
      event("response.output_item.added", { item: { ...item, phase: "commentary" } }),
      event("response.output_text.delta", { delta: "I search" }),
      event("response.output_text.delta", { delta: " now." }),
      event("response.output_item.added", { item }),
      event("response.output_text.delta", { delta: "Found." }),
      completed,
    );
    expect(outcome).toMatchObject({ text: "Found.", reasoning: "I search now." });
  });

  test("unsummarised reasoning of open models is read", async () => {
    const thought = event("response.reasoning_text.delta", { output_index: 0, content_index: 0, delta: "Hm" });
    expect(await read(thought, text("Yes", 1), completed)).toMatchObject({ text: "Yes", reasoning: "Hm" });
  });
});

describe("ends of a response", () => {
  const incomplete = (reason?: string) =>
    event("response.incomplete", { response: { incomplete_details: reason === undefined ? null : { reason } } });
  const refusal = event("response.refusal.delta", { output_index: 0, content_index: 0, delta: "I cannot" });

  test.each([
    ["complete", "complete", [text("Hi"), completed]],
    ["the limit of tokens", "length", [text("Hi"), incomplete("max_output_tokens")]],
    ["an unknown limit", "length", [text("Hi"), incomplete()]],
    ["the content filter", "refused", [text("Hi"), incomplete("content_filter")]],
    ["a refusal", "refused", [text("Hi"), refusal, completed]],
  ])("a response that ends by %s is %s", async (_, reason, events) => {
    expect(await read(...events)).toEqual({ text: "Hi", reasoning: "", reason, error: undefined });
  });

  test.each([
    ["response.failed", { response: { error: { code: "rate_limit_exceeded", message: "x" } } }, "assistant-busy"],
    ["response.failed", { response: { error: { code: "invalid_prompt", message: "x" } } }, "assistant-refused"],
    ["response.failed", { response: { error: null } }, "assistant-failed"],
    ["error", { code: "server_error", message: "x", param: null }, "assistant-failed"],
    ["error", { error: { type: "x", code: "context_length_exceeded", message: "x" } }, "assistant-too-long"],
    ["unknown", { error: { type: "overloaded_error", message: "x" } }, "assistant-busy"],
  ])("a response with the event %s and %j fails after its text", async (type, fields, code) => {
    const outcome = await read(text("Half"), event(type, fields), text(" more"), completed);
    expect(outcome).toMatchObject({ text: "Half", error: { code } });
  });

  test("a response that stops without an end is broken off", async () => {
    expect(await read(text("Half"), "data: [DONE]\n\n")).toMatchObject({
      text: "Half",
      error: { code: "assistant-broken-off" },
    });
  });
});

test("unknown events and items of a response, and fields of another type, pass", async () => {
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "search", arguments: "" };
  const outcome = await read(
    event("keepalive"),
    event("response.output_item.added", { output_index: 0, item: call }),
    event("response.function_call_arguments.delta", { output_index: 0, delta: '{"q":1}' }),
    event("response.output_item.done", { output_index: 0, item: { ...call, arguments: '{"q":1}' } }),
    event("response.output_item.added", { item: null }),
    event("response.output_text.delta", { delta: 7, output_index: "x" }),
    event("response.reasoning_summary_text.delta", { delta: null }),
    event("response.output_text.annotation.added", { annotation: { type: "url_citation", url: "https://x.test" } }),
    text("Hi", 1),
    event("response.completed", { response: { usage: { input_tokens: "many" } } }),
  );
  expect(outcome).toEqual({ text: "Hi", reasoning: "", reason: "calls", error: undefined });
});
