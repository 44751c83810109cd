// @vitest-environment happy-dom
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import "../../testing/english-texts.ts";
import { MarkdownReply } from "../markdown-reply.tsx";
import { splitFootnotes } from "./footnotes.ts";

afterEach(cleanup);

const show = (text: string, isGrowing = false) =>
  render(<MarkdownReply text={text} isGrowing={isGrowing} prefix="m1" />).container;
const marksOf = (page: Element) => [...page.querySelectorAll("sup")].map(({ outerHTML }) => outerHTML);
const notesOf = (page: Element) =>
  [...page.querySelectorAll("section li")].map(({ textContent }) => textContent?.trim());

describe("footnotes", () => {
  test("footnotes are linked from all blocks of a long answer, and back", () => {
    const words = "A paragraph of some words.\n\n".repeat(600);
    const page = show(`First[^a] words.\n\n${words}More[^2], and again[^a].\n\n[^2]: Two.\n[^A]: One.\n`);
    const links = [...page.querySelectorAll("sup > a[id]")];
    expect(links.map(({ textContent }) => textContent)).toEqual(["1", "2", "1"]);
    expect(links.map(({ id }) => id)).toEqual(["m1-fnref-1", "m1-fnref-2", "m1-fnref-1-2"]);
    for (const link of links)
      expect(page.querySelector(`[id="${link.getAttribute("href")?.slice(1)}"]`)).not.toBeNull();
    const back = [...page.querySelectorAll("section a")].map((link) => link.getAttribute("href"));
    expect(back).toEqual(["#m1-fnref-1", "#m1-fnref-1-2", "#m1-fnref-2"]);
    for (const way of back) expect(page.querySelector(`[id="${way?.slice(1)}"]`)).not.toBeNull();
    expect(notesOf(page)).toEqual(["One. ↩ ↩2", "Two. ↩"]);
  });

  test("references have their final marks, without links, until their notes arrive", () => {
    const page = show("Words[^1], more[^n], an [^a-z] and words.", true);
    expect(marksOf(page)).toEqual(["<sup>1</sup>", "<sup>2</sup>"]);
    expect(page.textContent).toContain("an [^a-z] and");
  });

  test("references whose notes never arrive stay as written", () => {
    const page = show("Words[^1] and[^2].\n\n[^2]: Two.");
    expect(page.querySelector("p")?.textContent).toBe("Words[^1] and1.");
  });

  test("footnotes are not recognized in code and after a backslash", () => {
    const page = show("`[^1]` \\[^1] and[^1].\n\n```\n[^1]: no\n[^1]\n```\n\n[^1]: One.");
    expect(marksOf(page)).toHaveLength(1);
    expect(page.querySelector("figure")?.textContent).toContain("[^1]: no");
    expect(notesOf(page)).toEqual(["One. ↩"]);
  });

  test("headings in footnotes are one level below their message's", () => {
    const levels = (text: string) =>
      [...show(text).querySelectorAll("h1, h2, h3, h4, h5, h6")].map((heading) => heading.getAttribute("aria-level"));
    expect(levels("## A\n\n### B\n\n# C\n\n###### D[^1]\n\n[^1]: One.")).toEqual(["3", "4", "3", "6", "3"]);
    expect(levels("```sh\n# no\n```\n\n#### A")).toEqual(["3"]);
    expect(levels("<h3>A</h3><h4>B</h4>")).toEqual(["3", "4"]);
  });
});

test.each([
  ["of one line", "a[^1]\n\n[^1]: n\nmore\n\nb", "a[^1]\n\n\nb", "[^1]\n\n[^1]: n\nmore\n"],
  ["of indented lines", "a[^x]\n\n[^x]: n\n\n    more\n- b", "a[^x]\n\n- b", "[^1]\n\n[^1]: n\n\n    more\n"],
  ["that refer to others", "a[^1]\n[^1]: n[^2]\n[^2]: m", "a[^1]\n", "[^1]\n\n[^1]: n[^2]\n\n[^2]: m\n"],
  ["that nothing refers to", "a\n\n[^1]: n", "a\n\n[^1]: n", ""],
  ["that are not there", "a[^1]", "a[^1]", ""],
])("footnotes are separated from the body: %s", (_, text, body, section) => {
  const notes = splitFootnotes(text, false);
  expect(notes).toMatchObject({ body, section });
  expect(notes.positionInBody(1)).toBe(1);
  expect(notes.positionInBody(text.length)).toBe(body.length);
});

test("splits very many notes and references in linear time", () => {
  const text = `${"a[^1] ".repeat(20_000)}\n\n[^1]: n\n${Array.from({ length: 5000 }, (_, at) => `b[^n${at}]\n\n[^n${at}]: m\n`).join("")}`;
  const { numbers } = splitFootnotes(text, false);
  expect(numbers.size).toBe(500);
});
