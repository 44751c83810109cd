import { expect, test } from "vitest";
import { readCodeFence } from "./code-fence.ts";

test.each([
  ["```js\na\nb\n```\n\n", { language: "js", code: "a\nb", isClosed: true }],
  ["```\na\n\n", { language: "", code: "a\n", isClosed: false }],
  ["~~~Python title=x\na\n```\n~~~", { language: "python", code: "a\n```", isClosed: true }],
  ["````md\n```\n````", { language: "md", code: "```", isClosed: true }],
  ["```", { language: "", code: "", isClosed: false }],
  ["  ```\n  a\n    b\n c\n  ```", { language: "", code: "a\n  b\nc", isClosed: true }],
  ["```js\n```", { language: "js", code: "", isClosed: true }],
])("reads the code fence of %j", (block, fence) => {
  expect(readCodeFence(block)).toEqual(fence);
});

test.each(["words", "```inline``` words", "    ```\n    x", "- ```js", "```js\na\n```\n\nwords\n\n[^1]: Note"])(
  "the text %j is not exactly one code block",
  (block) => {
    expect(readCodeFence(block)).toBeNull();
  },
);
