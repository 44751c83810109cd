import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import "../testing/english-texts.ts";
import HtmlReply from "./html/html-reply.tsx";
import { MarkdownReply } from "./markdown-reply.tsx";
import { seamsOfBlock } from "./seams.ts";

afterEach(cleanup);

const LABEL = "Continued after an interruption";

/** Returns the rendered text with `‸` for a mark and `‸‸` for a line; `‸` in the source marks the seam. */
function shown(source: string, { isHtml = false, isGrowing = false } = {}): string {
  const { text, seams } = readSource(source);
  const { container } = render(
    isHtml ? (
      <HtmlReply text={text} seams={seams} />
    ) : (
      <MarkdownReply text={text} seams={seams} isGrowing={isGrowing} prefix="p" />
    ),
  );
  for (const mark of container.querySelectorAll(".reply-seam")) {
    expect(mark.getAttribute("aria-label")).toBe(LABEL);
    mark.replaceWith("‸");
  }
  for (const line of container.querySelectorAll(".reply-seam-line")) {
    expect(line.textContent).toBe(LABEL);
    line.replaceWith("‸‸");
  }
  for (const caption of container.querySelectorAll("figcaption")) caption.remove();
  return container.textContent.replaceAll(/\s+/g, " ").trim();
}

function readSource(source: string): { text: string; seams: number[] } {
  const parts = source.split("‸");
  const seams = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("").length);
  return { text: parts.join(""), seams };
}

const elements = (source: string, selector: string) => {
  const { text, seams } = readSource(source);
  return render(<MarkdownReply text={text} seams={seams} isGrowing={false} prefix="p" />).container.querySelectorAll(
    selector,
  );
};

describe("the seam where a reply was continued", () => {
  test.each([
    ["between two words", "One two ‸three.", "One two ‸three."],
    ["inside a word", "inter‸rupted", "inter‸rupted"],
    ["twice in a paragraph", "One ‸two ‸three", "One ‸two ‸three"],
    ["in bold words", "so **very bo‸ld** it is", "so very bo‸ld it is"],
    ["between the marks of bold words", "so **bold*‸* it is", "so bold‸ it is"],
    ["after an escape", "1 \\* 2 ‸\\* 3", "1 * 2 ‸* 3"],
    ["after an entity", "1 &lt; 2 &amp; ‸3", "1 < 2 & ‸3"],
    ["at the beginning of a paragraph", "One.\n\n‸Two.", "One.Two.".replace("T", "‸T")],
    ["at the end of one", "One.‸\n\nTwo.", "One.‸Two."],
    ["before an item's mark", "- one\n‸- two", "one ‸two"],
    ["in an item", "- one\n- tw‸o", "one tw‸o"],
    ["before a title", "Words.\n\n‸# Title", "Words.‸Title"],
    ["in a line after a break", "one\ntwo ‸three", "one two ‸three"],
    ["in a quote", "> one\n> tw‸o", "one tw‸o"],
    ["in a cell", "| a | b |\n| - | - |\n| c‸c | d |", "abc‸cd"],
    ["at the end of a row", "| a | b |\n| - | - |\n| c | d ‸|", "abcd‸"],
    ["in inline code", "the `co‸de` here", "the code‸ here"],
    ["in a link", "a [li‸nk](https://example.com) here", "a link‸ here"],
    ["in the address of a link", "a [link](https://exa‸mple.com) here", "a link‸ here"],
    ["in a formula that is still text", "a $$x + ‸y$$ b", "a $$x + ‸y$$ b"],
    ["in a footnote's mark", "Words[^‸1].\n\n[^1]: Note", "Words1‸.Footnotes Note ↩"],
  ])("a seam %s is shown, and every word is unchanged", (_name, source, expected) => {
    expect(shown(source)).toBe(expected);
  });

  test("a seam in a code block is shown below it, and the block is not split", () => {
    expect(shown("Words.\n\n```ts\nconst a‸ = 1;\n```\n\nMore.")).toBe("Words.const a = 1;‸‸More.");
  });

  test("a seam in code within a list is shown after the code", () => {
    expect(shown("- item\n\n  ```\n  a‸b\n  ```\n\n- more")).toBe("item ab ‸ more");
  });

  test("a seam is not shown before text follows it", () => {
    expect(shown("One ‸", { isGrowing: true })).toBe("One");
    expect(shown("One ‸\n\n", { isGrowing: true })).toBe("One");
    expect(shown("One ‸t", { isGrowing: true })).toBe("One ‸t");
  });

  test("a seam does not break tables and lists", () => {
    expect(elements("| a | b |\n| - | - |\n‸| c | d |", "tr > :not(th, td)")).toHaveLength(0);
    expect(elements("| a | b |\n| - | - |\n| c | d |‸\n| e | f |", "tbody td")).toHaveLength(4);
    expect(elements("- one\n‸- two\n- three", "ul > :not(li)")).toHaveLength(0);
  });

  test("a seam keeps its position while further text streams, and at the end", () => {
    const { text, seams } = readSource(`${"Some words that are there. ".repeat(200)}\n\nOne ‸two three four`);
    const at = (length: number, isGrowing: boolean) => (
      <MarkdownReply text={text.slice(0, length)} seams={seams} isGrowing={isGrowing} prefix="p" />
    );
    const { container, rerender } = render(at(text.length - 13, true));
    for (let length = text.length - 12; length <= text.length; length += 1) {
      rerender(at(length, true));
      expect(container.querySelector(".reply-seam")?.previousSibling?.textContent).toBe("One ");
    }
    const mark = container.querySelector(".reply-seam");
    rerender(at(text.length, false));
    expect(container.querySelector(".reply-seam")?.previousSibling?.textContent).toBe("One ");
    expect(mark).not.toBeNull();
    expect(container.querySelectorAll(".reply-seam")).toHaveLength(1);
  });

  test("a seam in a long table that was cut is shown in a row of its own", () => {
    const rows = Array.from({ length: 400 }, (_, row) => `| row ${row} | value ${row} |\n`);
    const source = `| a | b |\n| - | - |\n${rows.slice(0, 300).join("")}‸${rows.slice(300).join("")}`;
    for (const isGrowing of [true, false]) {
      expect(shown(source, { isGrowing })).toMatch(/value 299\s*‸row 300/);
      cleanup();
    }
  });
});

test.each([
  ["in a paragraph", "<p>One t‸wo</p>", "One t‸wo"],
  ["in a tag", '<p>One <a hr‸ef="https://example.com">two</a></p>', "One two‸"],
  ["in a row", "<table><tr><td>a</td>‸<td>b</td></tr></table>", "a‸b"],
  ["after an entity", "<p>1 &lt; 2 ‸and more</p>", "1 < 2 ‸and more"],
])("a seam %s of an HTML reply is shown", (_name, source, expected) => {
  expect(shown(source, { isHtml: true })).toBe(expected);
});

test("the blocks of a long reply find their seams without reading all blocks for each", () => {
  const blocks = Array.from({ length: 30_000 }, (_, index) => `Paragraph ${index}.\n\n`);
  const seams = [0, blocks.join("").length - 3];
  const found = blocks.flatMap((_, index) => seamsOfBlock(seams, blocks, index).map((at) => [index, at]));
  expect(found).toEqual([
    [0, 0],
    [29_999, 15],
  ]);
});
