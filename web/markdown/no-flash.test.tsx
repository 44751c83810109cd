// @vitest-environment happy-dom
import { expect, test } from "vitest";
import "../testing/english-texts.ts";
import { loadReplyModules, mountReply } from "../testing/render-growing-reply.tsx";

/** Texts as models write them. */
const documents: [name: string, text: string][] = [
  ["emphasis", "Some **bold words**, *italic ones*, ***both***, `code` and ~~gone~~; 2 * 3 * 4 and snake_case_name.\n"],
  ["bold at the start", "**Note:** it *is* so.\n\n**A whole line**\n\nEnd **here**"],
  ["a link", "See [the *long* words](https://example.com/a_b?c=d(e)) and <https://example.com>.\n"],
  ["a picture", "Look: ![a cat](https://example.com/cat.png) there.\n"],
  [
    "a list",
    "Things:\n\n- one\n- **two**: words\n  - nested\n    1. deep\n- [x] done\n- [ ] open\n\n1. first\n2. second\n\n* star\n* other\n",
  ],
  ["a list behind a line", "Things:\n- one\n- two\n\nMore:\n1. one\n2. two\n\nStars:\n* one\n* two\n"],
  ["a table", "Before.\n\n| Name | Height |\n| :--- | ---: |\n| **Ben** | 1.8 |\n| `Ada` | 1.6 |\n\nAfter.\n"],
  ["a table behind a line", "Look:\n| Name | Height |\n|---|---|\n| Ben | 1.8 |\nAfter.\n"],
  ["bars that are no table", "Either a | b or c.\n\n| not one either\n\nEnd.\n"],
  ["code", "Do:\n\n```ts\nconst a = `x`;\n// ``` not yet\n```\n\nand ``a ` b`` too.\n\n    indented\n\nEnd.\n"],
  ["titles", "# One\n\nWords.\n\n## Two **bold**\n\n### `three`\n\n#5 is no title.\n"],
  [
    "words with a line right below",
    "Above it.\n---\n\nA **whole**\nparagraph\n---\nBelow.\n\nOld title\n=====\n\n- item\n  ---\n> quote\n> ===\n\nEnd.\n",
  ],
  ["lines", "Above.\n\n---\n\nBelow.\n\n***\n\nEnd.\n"],
  ["quotes", "> A quote\n> goes **on**\n>\n> - with a list\n\nEnd.\n"],
  [
    "alerts",
    "> [!NOTE]\n> Words **so**.\n\n> [!warning]  \n>\n> - a list\n\nA line\n> [!TIP]\n> [a link](https://a.example)\n\n" +
      "> [!NOTE]\n\n> [!NOPE]\n> a quote\n\nEnd.\n",
  ],
  ["entities", "A &amp; b &copy; c &lt;tag&gt; d & e <br> f H<sub>2</sub>O.\n"],
  ["formulas", "Inline \\(x^2\\) and $$y_1$$ here.\n\n$$\n\\frac{a}{b}\n$$\n\n\\[\nz\n\\]\n\nEnd, for $5 or 6.\n"],
  [
    "notes",
    "Words[^1] and[^b], not `[^1]`, again[^1].\n\n- item[^3]\n\n[^1]: The **first**.\n[^b]: Another[^1].\n\n[^3]: Third.\n",
  ],
  ["escapes", "1\\. no list, \\*no star\\*, \\`no code\\` and no more.\n"],
];

/** Returns each visible character with its enclosing elements. White space is omitted: the layout collapses it. */
function letters(page: Element): string[] {
  const out: string[] = [];
  const walk = (node: Node, path: string) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) {
        for (const letter of (child.nodeValue ?? "").replaceAll(/\s/g, "")) out.push(`${path} ${letter}`);
      } else if (child instanceof Element && !["FIGCAPTION", "svg"].includes(child.tagName)) {
        const isPlain = ["DIV", "SPAN", "SECTION", "FIGURE", "TBODY", "THEAD", "BR", "A"].includes(child.tagName);
        walk(child, isPlain ? path : `${path}>${child.tagName.toLowerCase()}`);
      }
    }
  };
  walk(page, "");
  return out;
}

loadReplyModules();

test.each(documents)("the rendered text of a growing reply does not change: %s", async (_, text) => {
  const { page, show, close } = mountReply();
  await show(text, false);
  const whole = letters(page);
  const odd: string[] = [];
  for (let end = 1; end <= text.length; end += 1) {
    await show(text.slice(0, end), true);
    const painted = letters(page);
    const at = painted.findIndex((letter, index) => letter !== whole[index]);
    if (at >= 0)
      odd.push(
        `${JSON.stringify(text.slice(Math.max(0, end - 25), end))}: ${painted.slice(at, at + 8).join(",")} for ${whole[at]}`,
      );
  }
  expect(odd).toEqual([]);
  await close();
});
