import { afterEach, describe, expect, test } from "vitest";
import { asQuote, selectedIn, withQuote } from "./quote.ts";

test("a quote marks each line", () => {
  expect(asQuote("  One line. ")).toBe("> One line.");
  expect(asQuote("One\n\ntwo  \r\n> three")).toBe("> One\n>\n> two\n> > three");
});

test("a quote is appended to the draft, with an empty line for the comment", () => {
  expect(withQuote("", "Words")).toBe("> Words\n\n");
  expect(withQuote("Before.\n", "Words")).toBe("Before.\n\n> Words\n\n");
});

describe("the quoted selection", () => {
  afterEach(() => {
    document.getSelection()?.removeAllRanges();
    document.body.innerHTML = "";
  });

  function select(from: string, to: string): Element {
    document.body.innerHTML = `<p id="out">Out</p><ol><li><div data-words=""><p id="a">One</p><p id="b">Two</p></div></li>
      <li><div data-words=""><p id="c">Three</p></div></li></ol>`;
    const [start, end] = [document.getElementById(from), document.getElementById(to)];
    const range = document.createRange();
    if (start?.firstChild) range.setStart(start.firstChild, 0);
    if (end?.firstChild) range.setEnd(end.firstChild, 2);
    document.getSelection()?.removeAllRanges();
    document.getSelection()?.addRange(range);
    return document.querySelector("ol") as Element;
  }

  test("a selection inside one message can be quoted", () => {
    expect(selectedIn(select("a", "a"))?.words).toBe("On");
    expect(selectedIn(select("a", "b"))?.words).toContain("One");
  });

  test("a selection across messages, outside of them, or without text cannot be quoted", () => {
    expect(selectedIn(select("a", "c"))).toBeNull();
    expect(selectedIn(select("out", "out"))).toBeNull();
    const list = select("a", "a");
    document.getSelection()?.collapseToStart();
    expect(selectedIn(list)).toBeNull();
  });

  test("a formula in a selection is quoted once, as its source, also if it is selected in part", () => {
    const katex = (source: string) =>
      `<span class="katex"><span class="katex-mathml"><math><mi>n</mi><annotation>${source}</annotation></math></span>` +
      `<span class="katex-html" aria-hidden="true"><span>n</span></span></span>`;
    document.body.innerHTML =
      `<ol><li><div data-words=""><p>The cost for ${katex("n^2")} people</p>` +
      `<p>is <span class="katex-display">${katex("x = 1")}</span></p></div></li></ol>`;
    const [list, paragraph] = [document.querySelector("ol"), document.querySelector("p")];
    const quoted = (start: Node, startOffset: number, end: Node, endOffset: number) => {
      const range = document.createRange();
      range.setStart(start, startOffset);
      range.setEnd(end, endOffset);
      document.getSelection()?.removeAllRanges();
      document.getSelection()?.addRange(range);
      return list && selectedIn(list)?.words;
    };
    const [before, after] = [paragraph?.firstChild, paragraph?.lastChild];
    if (!before || !after) throw new Error("No text");
    expect(quoted(before, 4, after, 7)).toBe("cost for $n^2$ people");
    const inside = document.querySelector(".katex-html span")?.firstChild;
    expect(inside && quoted(before, 4, inside, 1)).toBe("cost for $n^2$");
    const last = document.querySelectorAll("p")[1];
    expect(last && quoted(last, 0, last, 2)).toMatch(/^is\s+\$\$\s*x = 1\s+\$\$$/);
    expect(document.querySelector(".sr-only")).toBeNull();
  });
});
