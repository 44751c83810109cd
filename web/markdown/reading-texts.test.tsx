// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import "../testing/english-texts.ts";
import { directionTexts } from "../../testing/rendering/direction-texts.ts";
import { formulaTexts, nestedFences } from "../../testing/rendering/formula-texts.ts";
import { loadReplyModules, mountReply } from "../testing/render-growing-reply.tsx";
import { PrintWork } from "./print-work.ts";

loadReplyModules();

const DIRECTED = "p, h1, h2, ul, li, .own-way, table, th, td, blockquote";

/** Returns the words of a reply without white space, formulas and code blocks. */
function wordsOf(page: Element): string {
  const copy = document.createElement("div");
  copy.innerHTML = page.innerHTML;
  for (const other of copy.querySelectorAll(".katex, figure")) other.remove();
  return (copy.textContent ?? "").replaceAll(/\s/g, "");
}

const directionsOf = (page: Element) =>
  [...page.querySelectorAll(DIRECTED)].map((block) => [block.localName, block.getAttribute("dir")]);

const codesOf = (page: Element) => [...page.querySelectorAll("figure pre")].map((code) => code.textContent);

/** Shows a text at once, as it grows character by character, and on paper. */
async function showEachWay(text: string, check: (page: Element) => void): Promise<void> {
  const paper = mountReply(new PrintWork());
  await paper.show(text, false);
  check(paper.page);
  await paper.close();
  for (const steps of [[text.length], Array.from({ length: text.length }, (_, at) => at + 1)]) {
    const { page, show, close } = mountReply();
    for (const end of steps) await show(text.slice(0, end), steps.length > 1);
    await show(text, false);
    check(page);
    await close();
  }
}

describe("texts of both writing directions", () => {
  test.each(directionTexts)("each block has the direction of most of its letters: $text", async ({ text, blocks }) => {
    await showEachWay(text, (page) => expect(directionsOf(page)).toEqual(blocks));
  });

  test("a reply without letters from right to left has no directions of its own", async () => {
    await showEachWay("# a\n\nb `שלום`", (page) => expect(page.querySelector("h1")?.hasAttribute("dir")).toBe(true));
    await showEachWay("# a\n\nb", (page) => expect(page.querySelector("[dir]")).toBeNull());
  });

  test("an HTML answer has the directions of its letters", async () => {
    await showEachWay("<p>API של החברה שלנו</p><p>English</p>", (page) =>
      expect(directionsOf(page)).toEqual([
        ["p", "rtl"],
        ["p", "ltr"],
      ]),
    );
  });
});

describe("formulas as models write them", () => {
  test.each(formulaTexts)("a formula is drawn, and no word is lost: $text", async ({ text, formulas, words }) => {
    await showEachWay(text, (page) => {
      expect(page.querySelectorAll(".katex").length).toBe(formulas);
      expect(wordsOf(page)).toBe(words);
    });
  });
});

describe("code in Markdown in a fence", () => {
  test.each(nestedFences)("the code ends where its writer ended it: $text", async ({ text, codes, words }) => {
    await showEachWay(text, (page) => {
      expect(codesOf(page)).toEqual(codes);
      expect(wordsOf(page)).toBe(words);
    });
  });
});
