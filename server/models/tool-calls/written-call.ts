import { CodeScanner } from "#contract/text/reasoning/code-scanner.ts";

/**
 * Beginnings of calls in the templates of models. A server that does not know the template of its model, or a model to
 * which no tools are offered, leaves them in the text: Hermes and Qwen, Claude, Kimi, DeepSeek, Mistral, Llama, Gemma.
 */
const CALL = new RegExp(
  [
    String.raw`<tool_call>\s*[{<]`,
    `<(?:antml:)?(?:function_calls>|invoke name=")`,
    String.raw`<\|tool_calls?(?:_section)?_begin\|>`,
    "<｜tool▁calls?▁begin｜>",
    String.raw`\[TOOL_CALLS\]`,
    String.raw`<function=[\w.-]+>`,
    String.raw`<\|python_tag\|>`,
    "<start_function_call>",
  ].join("|"),
  "g",
);

/** Whether a text has what looks like a call of a tool, outside of code. No tool has run for it. */
export function hasWrittenCall(text: string): boolean {
  const scanner = new CodeScanner();
  let from = 0;
  for (const { index } of text.matchAll(CALL)) {
    scanner.push(text.slice(from, index));
    if (!scanner.isInCode) return true;
    from = index;
  }
  return false;
}
