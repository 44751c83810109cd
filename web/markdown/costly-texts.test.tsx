// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import "../testing/english-texts.ts";
import { hasCostlyRun } from "#contract/text/costly-runs.ts";
import { dollarFormulas } from "#contract/text/dollar-formulas.ts";
import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import { loadReplyModules, mountReply } from "../testing/render-growing-reply.tsx";
import { BlockSplitter } from "./blocks/block-splitter.ts";
import { stablePrefix } from "./blocks/stable-prefix.ts";
import { DepthSearch, isTooDeep, isTooMarked, isTooNested } from "./costly-markup.ts";
import HtmlReply from "./html/html-reply.tsx";
import { MarkdownReply } from "./markdown-reply.tsx";
import { PlainReply } from "./plain/plain-reply.tsx";
import { splitAtRenderBudget } from "./render-budget.ts";

loadReplyModules();

const deepList = (depth: number) => Array.from({ length: depth }, (_, i) => `${"  ".repeat(i)}- a\n`).join("");

const tight = (text: string) => text.replaceAll(/\s/g, "");

function wordsOf(text: string, isGrowing: boolean): string {
  const page = document.createElement("div");
  const reply = isHtmlAnswer(text) ? (
    <HtmlReply text={text} />
  ) : (
    <MarkdownReply text={text} isGrowing={isGrowing} prefix="m1" />
  );
  page.innerHTML = renderToStaticMarkup(reply);
  return tight(page.textContent ?? "");
}

describe("texts that are costly to render", () => {
  test.each([
    ["quotes", ">".repeat(5000)],
    ["spaced quotes", `${"> ".repeat(5000)}x`],
    ["divisions", "<div>".repeat(5000)],
    ["divisions between ends of others", "<div></b>".repeat(5000)],
    ["emphasis", "a**b ".repeat(20_000)],
    ["half links", "[a](".repeat(20_000)],
    ["a deep list", deepList(400)],
    ["a list deep in one line", `${"- ".repeat(5000)}x`],
    ["brackets", "[".repeat(50_000)],
    ["backticks of all lengths", Array.from({ length: 150 }, (_, i) => `a ${"`".repeat(i + 1)} `).join("")],
    ["what may be an address", "x+".repeat(25_000)],
    ["elements", "<b>".repeat(3000) + "</b>".repeat(3000)],
  ])("shows a costly text as plain text: %s", (_name, text) => {
    const words = tight(text);
    expect(wordsOf(text, false)).toBe(words);
    expect(wordsOf(text, true)).toContain(words.slice(0, 1000));
  });

  test.each([
    ["stars", "*".repeat(50_000)],
    ["backticks", "`".repeat(50_000)],
    ["a line of 1 MB", "word ".repeat(200_000)],
  ])("renders %s in bounded time", (_name, text) => {
    expect(wordsOf(text, false)).toBeDefined();
  });

  test.each([
    ["lines", "a\n".repeat(300_000)],
    ["a line", "word ".repeat(150_000)],
    ["a list", "- a\n".repeat(50_000)],
    ["an item", `- ${"word ".repeat(100_000)}`],
    ["a quote", `> ${"word ".repeat(100_000)}`],
    ["half a formula", `$$ ${"word ".repeat(100_000)}`],
    ["bars above half a table", `${"|".repeat(50_000)}\n|-|`],
    ["spaces in code", `\`\`\`\n${" ".repeat(50_000)}a\n\`\`\``],
    ["half formulas", "\\(".repeat(25_000)],
    ["dollars", "$a ".repeat(25_000)],
    ["backticks and half a formula", `${"`".repeat(25_000)}${"a".repeat(25_000)}\\(`],
    ["spans before a tag", `${"`a` ".repeat(12_500)}<p>`],
  ])("I9 %s that arrive all at once are cut and parsed once", (_name, text) => {
    const splitter = new BlockSplitter();
    const [rendered] = splitAtRenderBudget(text);
    expect(splitter.split(rendered).join("").length).toBeGreaterThanOrEqual(rendered.length);
    expect(splitter.splitWhole(rendered).every((block) => block.length <= 300_000)).toBe(true);
    expect(tight(dollarFormulas(rendered))).toBe(tight(rendered));
    expect(isHtmlAnswer(text)).toBe(false);
  });

  // Each of these took seconds to minutes: each beginning of an unfinished construct was tried to the end of the text.
  test.each([
    ["tabs", "\t"],
    ["spaces and tabs", " \t"],
    ["quotes", "> "],
    ["items", "- "],
    ["numbers", "1. "],
    ["stars", "*"],
    ["brackets", "["],
    ["pictures", "!["],
    ["backticks", "`"],
    ["dollars", "$"],
    ["half formulas", "\\["],
    ["half tags", "<b "],
    ["comments", "<!--"],
    ["summaries", "<summary>"],
  ])("I9 %s before a letter are not held back, and searched in bounded time", (_name, unit) => {
    const text = `a${unit.repeat(20_000)} b`;
    expect(stablePrefix(text).length).toBeGreaterThanOrEqual(text.length - 5000);
  });

  test.each([
    ["one letter", `a${"\u0301".repeat(5000)}`],
    ["a letter of code", `\`\`\`\na${"\u0301\u0316".repeat(100)}\n\`\`\``],
    ["a cell", `|a|\n|-|\n|a${"\u0301\u200d".repeat(100)}|`],
    ["HTML", `<p>a${"\u0301".repeat(100)}</p>`],
  ])("I9 very many marks above %s are not positioned", async (_name, text) => {
    const { page, show, close } = mountReply();
    await show(text.slice(0, 30), true);
    expect(page.querySelector(".simple-shaping")).toBeNull();
    await show(text, true);
    expect(page.querySelector(".simple-shaping")?.textContent).toContain("\u0301");
    await close();
    expect(renderToStaticMarkup(<PlainReply text={text} />)).toContain("simple-shaping");
  });

  test("I9 a word of very many letters is set without kerning, however it arrives", async () => {
    const word = "AV{{".repeat(251);
    const { page, show, close } = mountReply();
    await show(`A word: ${word.slice(0, 600)}`, true);
    expect(page.querySelector(".simple-shaping")).toBeNull();
    await show(`A word: ${word}`, true);
    expect(page.querySelector(".simple-shaping")?.textContent).toContain(word);
    await close();
    expect(hasCostlyRun(word.slice(0, 1000))).toBe(false);
    expect(hasCostlyRun("這是一個沒有空格的段落，".repeat(200))).toBe(false);
  });

  test.each([
    ["while the renderer is loading", "aא".repeat(10_000), (text: string) => <PlainReply text={text} />],
    [
      "in a formula",
      `$$${"aא".repeat(10_000)}$$`,
      (text: string) => <MarkdownReply {...{ text, prefix: "m1" }} isGrowing />,
    ],
    ["in HTML", `<p>${"ภาษาไทย".repeat(3000)}</p>`, (text: string) => <HtmlReply text={text} />],
    [
      "in a list",
      `- ${"ภาษาไทย".repeat(3000)}`,
      (text: string) => <MarkdownReply {...{ text, prefix: "m1" }} isGrowing />,
    ],
  ])("I9 very many letters without a space are laid out in pieces %s", (_name, text, reply) => {
    const page = document.createElement("div");
    page.innerHTML = renderToStaticMarkup(reply(text));
    const pieces = [...page.querySelectorAll(".reply-piece")].map(({ textContent }) => textContent ?? "");
    expect(pieces.length).toBeGreaterThanOrEqual(text.length / 4000);
    expect(tight(pieces.join(""))).toBe(text.replaceAll(" ", ""));
  });

  test("I9 pieces of a long text end after a line, and never within a character", () => {
    const page = document.createElement("div");
    for (const text of [`${"word ".repeat(700)}\n${"👩".repeat(9000)}`, "\n".repeat(9000)]) {
      page.innerHTML = renderToStaticMarkup(<PlainReply text={text} />);
      const pieces = [...page.querySelectorAll(".reply-piece")].map(({ textContent }) => textContent ?? "");
      expect(pieces.every((piece) => piece.isWellFormed() && [...piece].length <= 4000)).toBe(true);
      expect(pieces.slice(0, 1).every((piece) => piece.endsWith("\n"))).toBe(true);
      expect(pieces.join("")).toBe(text);
    }
  });

  test.each([
    ["lines", "a\n".repeat(20_000), (piece: string) => piece.split("\n").length - 1, 200],
    [
      "marks above a letter",
      `a${"\u0301".repeat(20_000)}`,
      (piece: string) => piece.match(/\p{M}/gu)?.length ?? 0,
      500,
    ],
  ])("I9 a piece of a long text has few %s, and the pieces are the whole text", (_name, text, countOf, most) => {
    const page = document.createElement("div");
    for (const reply of [
      <PlainReply key="" {...{ text }} />,
      <MarkdownReply key="" {...{ text, prefix: "m1" }} isGrowing />,
    ]) {
      page.innerHTML = renderToStaticMarkup(reply);
      const pieces = [...page.querySelectorAll(".reply-piece")].map(({ textContent }) => textContent ?? "");
      expect(Math.max(...pieces.map(countOf))).toBe(most);
      expect(text.endsWith(pieces.join(""))).toBe(true);
    }
  });

  test("I9 the depth of a growing text is that of the whole text, however it was cut", () => {
    const search = new DepthSearch();
    for (const text of [`${deepList(10)}> a\n`.repeat(20), deepList(60), "> ".repeat(60), "a\n".repeat(50)]) {
      for (let end = 1; end <= text.length; end += 7) {
        expect(search.find(text.slice(0, end))).toBe(isTooDeep(text.slice(0, end)));
      }
    }
  });

  test("I9 a text that is nested too deeply beyond the render budget is rendered up to there", () => {
    const page = document.createElement("div");
    const text = `**bold**\n\n${"word ".repeat(50_000)}\n\n${">".repeat(100)}`;
    page.innerHTML = renderToStaticMarkup(<MarkdownReply text={text} isGrowing={false} prefix="m1" />);
    expect(page.querySelector("strong")?.textContent).toBe("bold");
    expect(page.textContent).toContain(">".repeat(100));
  });

  test("I9 pieces of a growing text are those of the whole text, and stay in the page while it grows", async () => {
    const lines = "a\n".repeat(10_000);
    const text = `${"word ".repeat(700)}\n${"👩".repeat(9000)}\n${"aא".repeat(4000)}${lines}${"\u0301".repeat(3000)}`;
    const whole = document.createElement("div");
    whole.innerHTML = renderToStaticMarkup(<PlainReply text={text} />);
    const page = document.createElement("div");
    const root = createRoot(page);
    let first: Element | null = null;
    for (let end = 4500; end < text.length + 997; end += 997) {
      await act(async () => root.render(<PlainReply text={text.slice(0, end)} />));
      first ??= page.querySelector(".reply-piece");
      expect(page.querySelector(".reply-piece")).toBe(first);
    }
    expect(page.innerHTML).toBe(whole.innerHTML);
    await act(async () => root.render(<PlainReply text={"other ".repeat(1000)} />));
    expect(page.textContent).toBe("other ".repeat(1000));
    await act(async () => root.unmount());
  });

  test("blocks beside a costly one are rendered as Markdown", () => {
    const page = document.createElement("div");
    const text = `# Title\n\n${"a**b ".repeat(3000)}\n\n**bold**`;
    page.innerHTML = renderToStaticMarkup(<MarkdownReply text={text} isGrowing={false} prefix="m1" />);
    expect(page.querySelector("h1")?.textContent).toBe("Title");
    expect([...page.querySelectorAll("strong")].map((strong) => strong.textContent)).toEqual(["bold"]);
  });
});

describe("usual texts are within the limits", () => {
  test("words with many accents, and emoji of several people, are within the limits", () => {
    expect(hasCostlyRun(`a${"\u0301".repeat(30)} `.repeat(100))).toBe(false);
    expect(hasCostlyRun("👩‍👩‍👧‍👦 บทที่ नमस्ते שָׁלוֹם".repeat(100))).toBe(false);
  });

  test("ten levels of lists and quotes, and many lists, are rendered", () => {
    expect(isTooDeep(deepList(10).repeat(300))).toBe(false);
    expect(isTooDeep(`${"> ".repeat(10)}x\n\n`.repeat(300))).toBe(false);
    expect(isTooDeep(`${"-".repeat(200)}\n`)).toBe(false);
  });

  test("a long list with bold words and code is rendered", () => {
    expect(isTooMarked("- **word** and `code`\n".repeat(700))).toBe(false);
    expect(isTooMarked("A **word** and `code`. ".repeat(200))).toBe(false);
  });

  test("a long number and a key of letters and signs are rendered", () => {
    expect(isTooMarked("3.14159".repeat(200))).toBe(false);
    expect(isTooMarked("aB3-dE_fG7h".repeat(100))).toBe(false);
  });

  test("long answers in words of two directions are rendered", () => {
    expect(isTooMarked("המילה React היא שם, و API أيضا. ".repeat(120))).toBe(false);
    expect(isTooMarked("| שלום | hello |\n".repeat(600))).toBe(false);
    expect(isTooMarked("a א ".repeat(251))).toBe(true);
  });

  test("a long table and paragraphs without end tags are rendered", () => {
    const rows = "<tr><td>1<td><b>2</b>".repeat(500);
    expect(isTooNested(`<p>one<p>two<table>${rows}</table><ul>${"<li>x".repeat(500)}</ul>`)).toBe(false);
  });
});
