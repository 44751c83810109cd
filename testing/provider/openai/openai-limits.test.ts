import { expect, test } from "vitest";
import type { ErrorAnswer, RequestBody } from "../wire.ts";
import { refuseChatCompletion, refuseResponse } from "./openai-limits.ts";

const refusedField = (answer: ErrorAnswer | undefined): unknown => answer && JSON.parse(answer.body).error.param;
const messages = [{ role: "user", content: "Hi" }];

test.each([
  ["gpt-4.1-nano", { temperature: 0.5, max_tokens: 10 }, undefined],
  ["gpt-4.1-nano", { reasoning_effort: "low" }, "reasoning_effort"],
  ["gpt-5-mini", { reasoning_effort: "minimal", max_completion_tokens: 10 }, undefined],
  ["gpt-5-mini", { max_tokens: 10 }, "max_tokens"],
  ["gpt-5-mini", { reasoning_effort: "none" }, "reasoning_effort"],
  ["gpt-5.1", { reasoning_effort: "none", temperature: 0.5 }, undefined],
  ["gpt-5.1", { temperature: 0.5 }, "temperature"],
  ["gpt-5.1", { max_output_tokens: 10 }, "max_output_tokens"],
  ["qwen3:8b", { max_output_tokens: 10, temperature: 2 }, undefined],
])("the field of a chat completion of %s with %j that is refused is %s", (model, fields, param) => {
  expect(refusedField(refuseChatCompletion({ model, messages, ...fields }))).toBe(param);
});

test.each([
  ["gpt-5.5", { reasoning: { effort: "max" } }, "reasoning.effort"],
  ["gpt-5.6", { reasoning: { effort: "max", summary: "auto" } }, undefined],
  ["gpt-6-luna", { reasoning: { effort: "none" } }, undefined],
  ["gpt-6.1-sol", { reasoning: { effort: "none" } }, "reasoning.effort"],
  ["gpt-4.1-nano", { reasoning: { effort: "low" } }, "reasoning.effort"],
  ["gpt-5-mini", { temperature: 0.5 }, "temperature"],
  ["gpt-5-mini", { messages }, "messages"],
  ["gpt-5-mini", { max_tokens: 10 }, "max_tokens"],
  ["gpt-5-mini", { stream_options: { include_usage: true } }, "stream_options.include_usage"],
  ["gpt-5-mini", { input: [] }, "input"],
  [
    "gpt-5-mini",
    { input: [{ role: "assistant", content: [{ type: "input_text", text: "Hi" }] }] },
    "input[0].content[0]",
  ],
  ["gpt-6-luna", { input: [{ role: "assistant", phase: "final_answer", content: "Hi" }] }, undefined],
  ["gpt-6-luna", { input: [{ role: "assistant", phase: "answer", content: "Hi" }] }, "input[0].phase"],
  ["gpt-6-luna", { input: [{ role: "user", phase: "final_answer", content: "Hi" }] }, "input[0].phase"],
] satisfies [string, RequestBody, string | undefined][])(
  "the field of a response of %s with %j that is refused is %s",
  (model, fields, param) => {
    expect(refusedField(refuseResponse({ model, input: "Hi", ...fields }))).toBe(param);
  },
);
