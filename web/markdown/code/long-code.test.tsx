import { cleanup, render, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import "../../testing/english-texts.ts";
import { CodeBlock } from "./code-block.tsx";

afterEach(cleanup);

const line = (at: number) => `const count${at} = ${at};`;
const codeOf = (lines: number) => Array.from({ length: lines }, (_, at) => line(at)).join("\n");

test("renders long code in chunks of lines, of which only the last changes while it grows", () => {
  const { container, rerender } = render(<CodeBlock language="js" code={codeOf(120)} isClosed={false} />);
  const blocks = () => [...container.querySelectorAll("pre code > .block")];
  expect(blocks()).toHaveLength(3);
  const before = blocks().map((block) => block.firstChild);
  const texts = blocks().map((block) => block.textContent);
  rerender(<CodeBlock language="js" code={codeOf(130)} isClosed={false} />);
  expect(blocks().map((block) => block.firstChild)).toEqual(before);
  expect(blocks().map((block) => block.textContent === texts.shift())).toEqual([true, true, false]);
  expect(container.querySelector("pre")?.textContent).toBe(codeOf(130));
});

test("renders every line of highlighted code, in the same chunks", async () => {
  const { container } = render(<CodeBlock language="js" code={codeOf(120)} isClosed />);
  await waitFor(() => expect(container.querySelector("[style]")).not.toBeNull());
  expect(container.querySelectorAll("pre code > .block")).toHaveLength(3);
  expect(container.querySelector("pre")?.textContent).toBe(codeOf(120));
});
