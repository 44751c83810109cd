import { pageElements } from "#contract/shares/page-nodes.ts";
import { type PageAttributes, type PageNode, PHRASE } from "#contract/shares/shared-page.ts";
import { MATHS_TAGS } from "#contract/text/html/maths.ts";
import { isRightToLeft, type Language } from "../../locales/supported-languages.ts";
import { attributeName, htmlValue, mathsValue } from "./allowed-attributes.ts";
import { codeFrame } from "./code-frame.ts";
import { element, mathsElement } from "./element.ts";
import { fillIn } from "./fill-in.ts";
import type { SharedPageTexts } from "./page-texts.ts";
import { scrollFrame } from "./scroll-frame.ts";

export type Words = { texts: SharedPageTexts; language: Language };

const html: ReadonlySet<string> = new Set(pageElements);
const maths: ReadonlySet<string> = new Set(MATHS_TAGS);
/** Elements deeper than this are shown as their text: browsers nest some 500 elements. */
const DEEPEST = 200;

type Position = { isInMaths: boolean; depth: number };

/** Builds the elements of a message. Elements and attributes that are not allowed leave only their text. */
export function buildNodes(nodes: readonly PageNode[], words: Words): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const node of nodes) fragment.append(build(node, words, { isInMaths: false, depth: 0 }));
  return fragment;
}

function build(node: PageNode, words: Words, position: Position): Node | string {
  if (typeof node === "string") return node;
  const [name, attributes, ...children] = node;
  // Words of the product do not decide the direction of the text around them.
  if (name === PHRASE) return element("bdi", {}, phraseOf(attributes, words));
  const isMaths = position.isInMaths || name === "math";
  if (position.depth > DEEPEST || !(isMaths ? maths : html).has(name)) return textOf(node, words);
  if (name === "input") return checkbox(attributes, words);
  const created = isMaths ? mathsElement(name) : document.createElement(name);
  setAttributes(created, name, attributes, isMaths ? mathsValue : htmlValue);
  for (const child of children) created.append(build(child, words, { isInMaths: isMaths, depth: position.depth + 1 }));
  return framed(created, words);
}

function setAttributes(created: Element, name: string, attributes: PageAttributes, allow: typeof htmlValue): void {
  for (const [written, value] of Object.entries(attributes)) {
    const attribute = attributeName(written);
    const allowed = allow(name, attribute, String(value));
    if (allowed !== null) created.setAttribute(attribute, allowed);
  }
  if (!created.hasAttribute("href")) return;
  created.setAttribute("rel", "noopener noreferrer nofollow");
  created.setAttribute("target", "_blank");
}

/** Wraps code in a frame with a button, and wide elements in one that scrolls. Disclosures of parts are of the product. */
function framed(created: Element, { texts, language }: Words): Element {
  const name = created.localName;
  if (name === "details" && created.className) created.setAttribute("dir", isRightToLeft(language) ? "rtl" : "ltr");
  if (name === "pre" && !created.classList.contains("plain")) return codeFrame(created, texts.page);
  if (name === "table") return scrollFrame(created, "table-frame", texts.page.table);
  const isBlockFormula = name === "math" && created.getAttribute("display") === "block";
  return isBlockFormula ? scrollFrame(created, "formula-frame", texts.page.formula) : created;
}

function checkbox(attributes: PageAttributes, { texts }: Words): Node | string {
  if (attributes.type !== "checkbox") return "";
  const isDone = Object.hasOwn(attributes, "checked");
  const label = isDone ? texts.page.done : texts.page.open;
  const box = element("input", { type: "checkbox", disabled: "", "aria-label": label });
  box.defaultChecked = isDone;
  return box;
}

/** Returns the words of a phrase; nothing for one of a newer server. */
function phraseOf({ key = "", ...values }: PageAttributes, { texts, language }: Words): string {
  const phrases: Readonly<Record<string, string>> = texts.phrases;
  return Object.hasOwn(phrases, key) ? fillIn(phrases[key] ?? "", values, language) : "";
}

/** Returns the text of a node, with a stack of its own: the depth of such a node has no limit. */
function textOf(node: PageNode, words: Words): string {
  const left: PageNode[] = [node];
  let text = "";
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === "string") text += next;
    else if (next[0] === PHRASE) text += phraseOf(next[1], words);
    else {
      const [, , ...children] = next;
      left.push(...children.reverse());
    }
  }
  return text;
}
