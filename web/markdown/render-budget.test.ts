import { describe, expect, test } from "vitest";
import { blocksWithinBudget, splitAtRenderBudget, splitHtmlAtRenderBudget, withPlainEnd } from "./render-budget.ts";

describe("I9 limits of rendered replies", () => {
  test("usual replies are rendered completely", () => {
    const markdown = "A **sentence** of some `words`, as they are.\n\n- one\n- two\n\n".repeat(400);
    expect(splitAtRenderBudget(markdown)).toEqual([markdown, ""]);
    expect(blocksWithinBudget(markdown.split(/(?<=\n\n)/))).toBe(800);
    const html = `<p>Words</p><table>${"<tr><td>1<td><b>2</b>".repeat(500)}</table>`;
    expect(splitHtmlAtRenderBudget(html)).toEqual([html, ""]);
    const code = [`\`\`\`js\n${"let a = 1;\n".repeat(15_000)}\`\`\``];
    expect(blocksWithinBudget(code)).toBe(1);
  });

  test.each([
    ["paragraphs", "word word\n\n".repeat(90_000), "\n\n"],
    ["lines", "word\n".repeat(90_000), "\n"],
    ["pairs of units", "😀".repeat(200_001), "😀"],
  ])("only the first of very many %s are rendered, none of them split", (_name, text, end) => {
    const [rendered, rest] = splitAtRenderBudget(text);
    expect(rendered + rest).toBe(text);
    expect(rendered.length).toBeLessThanOrEqual(200_000);
    expect(rendered.length).toBeGreaterThan(100_000);
    expect(rendered.endsWith(end)).toBe(true);
    expect(splitAtRenderBudget(text.slice(0, -1000))[0]).toBe(rendered);
  });

  test("HTML over the budget is cut before a tag", () => {
    const text = `<ul>${"<li>a".repeat(10_000)}</ul>`;
    const [rendered, rest] = splitHtmlAtRenderBudget(text);
    expect(rendered + rest).toBe(text);
    expect(rest.startsWith("<li>a")).toBe(true);
    expect(splitHtmlAtRenderBudget(`${text}<li>b`)[0]).toBe(rendered);
  });

  test("only some of very many blocks with many lines or marks are rendered", () => {
    const blocks = Array.from({ length: 100 }, () => "- a\n".repeat(500));
    const count = blocksWithinBudget(blocks);
    expect(count).toBeLessThan(10);
    expect(withPlainEnd(blocks, count)).toHaveLength(count + 1);
    expect(withPlainEnd(blocks, count).join("")).toBe(blocks.join(""));
    // The first block is always rendered as Markdown.
    expect(blocksWithinBudget(["- a\n".repeat(50_000), "b"])).toBe(1);
  });
});
