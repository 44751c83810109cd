import { expect, test } from "vitest";
import { hasWrittenCall } from "./written-call.ts";

test.each([
  ["Hermes", 'Let me look.\n<tool_call>\n{"name": "search", "arguments": {}}\n</tool_call>\nIt is sunny.'],
  ["Qwen3-Coder", "<tool_call>\n<function=search>\n<parameter=q>x</parameter>"],
  ["Claude", '<function_calls>\n<invoke name="search">'],
  ["Kimi", "<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0"],
  ["DeepSeek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search"],
  ["Mistral", '[TOOL_CALLS][{"name": "search"}]'],
  ["Llama", '<function=search>{"q": "x"}</function>'],
  ["Llama 3", '<|python_tag|>search.call(query="x")'],
  ["Gemma", "<start_function_call>call:search{query:x}"],
])("a call in the template of %s is recognised in a text", (_, text) => {
  expect(hasWrittenCall(text)).toBe(true);
});

test.each([
  ["in inline code", "Models write `<tool_call> {` and then JSON."],
  ["in a fence", '```xml\n<tool_call>\n{"name": "x"}\n</tool_call>\n```'],
  ["as a word", "The tag <tool_call> begins a call, [TOOL CALLS] does not."],
  ["nowhere", "It is sunny."],
])("a text is no call if it has its marks %s", (_, text) => {
  expect(hasWrittenCall(text)).toBe(false);
});

test("a call after an example in code is recognised", () => {
  expect(hasWrittenCall('`<tool_call> {`\n\n<tool_call>{"name": "search"}</tool_call>')).toBe(true);
});
