import type { Element as Hast, Nodes, Root } from "hast";
import { writtenFormula } from "#contract/text/formula-limits.ts";
import { ALERT_TAG } from "../alerts.tsx";
import { SEAM_TAG } from "../seams.ts";

/** Attribute of the elements that contain the words of a message. */
const WORDS = "[data-words]";
/** Elements of the page that are no words of a message. */
const LEFT_OUT =
  "button:not(.source-mark), svg, iframe, .sr-only, .reply-seam, .reply-code > figcaption, [aria-hidden='true'], template";
/** Elements without which a part of their content is no list, table or quote. */
const FRAMES = new Set(["UL", "OL", "TABLE", "THEAD", "TBODY", "TR", "BLOCKQUOTE"]);
const ALERT = /reply-alert-(\w+)/;

/** A selected part of one message, and the name of its author if other messages are selected too. */
export type SelectedWords = { author: string | null; tree: Root };

/** Returns the selected parts of messages; empty if the selection is elsewhere, or in a single piece of code. */
export function selectedWords(selected: Range): SelectedWords[] {
  const range = wholeFormulas(selected);
  const around = elementOf(range.commonAncestorContainer);
  if (!around || around.closest("pre, .question-code")) return [];
  const own = around.closest(WORDS);
  if (own) return [{ author: null, tree: treeIn(range) }];
  return [...around.querySelectorAll(WORDS)]
    .filter((words) => range.intersectsNode(words))
    .map((words) => ({ author: authorOf(words), tree: treeIn(within(range, words)) }))
    .filter(({ tree }) => tree.children.length > 0);
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);

/** The heading of the message. */
const authorOf = (words: Element): string => words.closest("li")?.querySelector("h2")?.textContent ?? "";

/** Extends a selection that covers only some symbols of a formula to the whole formula. */
function wholeFormulas(selected: Range): Range {
  const range = selected.cloneRange();
  const first = formulaAround(range.startContainer);
  const last = formulaAround(range.endContainer);
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  return range;
}

function formulaAround(node: Node): Element | null {
  const element = elementOf(node);
  return element?.closest(".katex-display") ?? element?.closest(".katex") ?? null;
}

/** Returns the part of a range that is in an element. */
function within(range: Range, element: Element): Range {
  const part = document.createRange();
  part.selectNodeContents(element);
  if (range.compareBoundaryPoints(Range.START_TO_START, part) > 0)
    part.setStart(range.startContainer, range.startOffset);
  if (range.compareBoundaryPoints(Range.END_TO_END, part) < 0) part.setEnd(range.endContainer, range.endOffset);
  return part;
}

function treeIn(range: Range): Root {
  let content: ParentNode & Node = range.cloneContents();
  const isPlain = content.querySelector(".reply") === null && !elementOf(range.startContainer)?.closest(".reply");
  for (let around = elementOf(range.commonAncestorContainer); around && FRAMES.has(around.tagName); ) {
    const frame = around.cloneNode(false);
    if (frame instanceof HTMLOListElement) frame.start = firstNumber(around, range);
    frame.appendChild(content);
    const outer = document.createDocumentFragment();
    outer.append(frame);
    content = outer;
    around = around.parentElement;
  }
  for (const other of content.querySelectorAll(LEFT_OUT)) other.remove();
  return {
    type: "root",
    children: [...content.childNodes].flatMap((node) => convert(node, isPlain)) as Root["children"],
  };
}

function firstNumber(list: Element, range: Range): number {
  const index = [...list.children].findIndex((item) => range.intersectsNode(item));
  return (list instanceof HTMLOListElement ? list.start : 1) + Math.max(0, index);
}

/** `isPlain`: the text is shown with its line breaks, as in a question. */
function convert(node: Node, isPlain: boolean): Nodes[] {
  if (node instanceof Text) return isPlain ? lines(node.data) : [{ type: "text", value: node.data }];
  if (!(node instanceof Element)) return [];
  const name = node.localName;
  if (node.matches(".katex-display, .katex")) return [formulaOf(node)];
  if (node.matches("figure.reply-code")) return [codeOf(node)];
  const children = () => [...node.childNodes].flatMap((child) => convert(child, isPlain));
  // The mark of a citation is a button.
  if (name === "span" || name === "bdi" || name === "button" || name === SEAM_TAG) return children();
  const alert = ALERT.exec(node.className)?.[1];
  if (node.classList.contains("reply-alert-title")) return [];
  if (alert !== undefined) return [elementWith(ALERT_TAG, children() as Hast["children"], { kind: alert })];
  return [elementWith(name, children() as Hast["children"], propertiesOf(node))];
}

const elementWith = (tagName: string, children: Hast["children"], properties: Hast["properties"] = {}): Hast => ({
  type: "element",
  tagName,
  properties,
  children,
});

const lines = (text: string): Nodes[] =>
  text.split("\n").flatMap((line, at) => {
    const words: Nodes = { type: "text", value: line };
    return at === 0 ? [words] : [elementWith("br", []), words];
  });

function formulaOf(formula: Element): Hast {
  const tex = formula.querySelector("annotation")?.textContent ?? "";
  const isDisplay = formula.matches(".katex-display");
  const words = { type: "text" as const, value: writtenFormula(tex, isDisplay) };
  return elementWith(isDisplay ? "p" : "span", [words], { dataTex: tex });
}

function codeOf(figure: Element): Hast {
  const language = figure.getAttribute("data-language") ?? "";
  const words = { type: "text" as const, value: figure.querySelector("pre")?.textContent ?? "" };
  const code = elementWith("code", [words], language === "" ? {} : { className: [`language-${language}`] });
  return elementWith("pre", [code]);
}

/** Only the properties that a copy has: those of the sanitiser, without the page's own. */
function propertiesOf(element: Element): Hast["properties"] {
  if (element instanceof HTMLAnchorElement) {
    const href = element.getAttribute("href") ?? "";
    return href.startsWith("#") ? {} : { href };
  }
  if (element instanceof HTMLInputElement) return { checked: element.checked };
  if (element instanceof HTMLOListElement) return element.start === 1 ? {} : { start: element.start };
  const dir = element.getAttribute("dir");
  const align = element.getAttribute("align") || (element instanceof HTMLElement && element.style.textAlign);
  const [colSpan, rowSpan] = ["colspan", "rowspan"].map((name) => element.getAttribute(name));
  return {
    ...((dir === "rtl" || dir === "ltr") && { dir }),
    ...(align && { align }),
    ...(colSpan && { colSpan }),
    ...(rowSpan && { rowSpan }),
  };
}
