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
});
