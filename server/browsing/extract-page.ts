import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import { wellFormed } from "#contract/text/well-formed.ts";
import { cutChars } from "../text/cut-chars.ts";
import { ELEMENT, type PageNode, textBelow } from "./page-text.ts";

/** In UTF-16 units. */
export const PAGE_BOUNDS = { text: 100_000, title: 300 };

/** `title` and `siteName` may be empty. `isCut`: there is more text. */
export type PageText = { title: string; siteName: string; text: string; isCut: boolean };

const HEAD_NAMES = new Set(["TITLE", "META", "LINK", "BASE", "STYLE", "SCRIPT"]);
/** Elements of a page, of which Readability reads each several times. */
const MAX_ELEMENTS = 100_000;
/** Depth of elements, in which Readability takes quadratic time. Chromium's parser stops at 512. */
const MAX_DEPTH = 256;
/** An article that is shorter than this is a guess, and the page may have more text: a table, a list, an index. */
const MIN_ARTICLE = 500;
/** A threshold of Readability, below which it tries again with looser rules: the body serves here instead. */
const ONE_ATTEMPT = 1;

/**
 * Returns the readable text of a page: of its article, or of the whole body where no article is found.
 * @returns null if the page has too many elements, or is nested too deeply
 */
export function extractPage(html: string): PageText | null {
  const document = documentOf(html);
  if (!isReadable(document as unknown as PageNode)) return null;
  const whole = textBelow(document.body as unknown as PageNode, PAGE_BOUNDS.text);
  const title = document.title ?? "";
  // Readability changes the document.
  const options = { serializer: (node: unknown) => node, charThreshold: ONE_ATTEMPT };
  const article = new Readability<unknown>(document as never, options).parse();
  const content = article?.content ? textBelow(article.content as PageNode, PAGE_BOUNDS.text) : "";
  const text = wellFormed(content.length < MIN_ARTICLE ? whole : content);
  return {
    title: lineOf(article?.title || title),
    siteName: lineOf(article?.siteName ?? ""),
    text: cutChars(text, PAGE_BOUNDS.text),
    isCut: text.length > PAGE_BOUNDS.text,
  };
}

/** Parses HTML. The parser does not add the elements `html`, `head` and `body`, whose tags a page may omit. */
function documentOf(html: string) {
  const parsed = parseHTML(html).document;
  const isWhole = parsed.documentElement?.localName === "html";
  const document = isWhole ? parsed : parseHTML(`<html>${html}</html>`).document;
  const { documentElement, head, body } = document;
  for (const node of [...documentElement.childNodes]) {
    if (node !== head && node !== body) (HEAD_NAMES.has(node.nodeName) ? head : body).append(node);
  }
  return document;
}

const lineOf = (text: string) =>
  cutChars(
    wellFormed(text)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
    PAGE_BOUNDS.title,
  );

function isReadable(root: PageNode): boolean {
  let [elements, depth] = [0, 0];
  for (let node: PageNode | null = root; node !== null; ) {
    if (node.nodeType === ELEMENT) elements++;
    if (elements > MAX_ELEMENTS || depth > MAX_DEPTH) return false;
    if (node.firstChild) {
      node = node.firstChild;
      depth++;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode;
      depth--;
    }
    node = node?.nextSibling ?? null;
  }
  return true;
}
