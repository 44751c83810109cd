import type { Element, ElementContent, Root } from "hast";
import { columnWidths } from "./docx-columns.ts";
import { INDENT_PX, MAX_PICTURE_PX } from "./docx-styles.ts";

type Child = Root["children"][number];

/** Longest address of a link in Word. */
const MAX_ADDRESS = 2083;
/** Narrowest table, and narrowest text that a quote indents, in pixels. */
const MIN_PX = 200;

const INDENTS: Readonly<Record<string, number>> = {
  blockquote: INDENT_PX.blockquote,
  ul: INDENT_PX.list,
  ol: INDENT_PX.list,
};

/** Elements with borders, which Word joins with those of the next of their kind. */
const BOXES = new Set(["pre", "blockquote", "hr"]);

/** Changes a tree of HTML where Word needs other elements. */
export function prepareTree(tree: Root): void {
  prepare(tree, MAX_PICTURE_PX.width);
}

/** @param width of the text, in pixels; null in the cell of a table */
function prepare(parent: Root | Element, width: number | null): void {
  const children: Child[] = [];
  for (const [index, child] of parent.children.entries()) {
    children.push(child);
    if (child.type !== "element") continue;
    change(child, width);
    prepare(child, widthIn(child, width));
    if (child.tagName === "table" || isSameBox(child, parent.children, index + 1)) children.push(gap());
  }
  // Only elements and texts were added.
  parent.children = children as ElementContent[];
}

function widthIn({ tagName }: Element, width: number | null): number | null {
  if (tagName === "td" || tagName === "th") return null;
  return width === null ? null : width - (INDENTS[tagName] ?? 0);
}

function change(element: Element, width: number | null): void {
  const { tagName, properties } = element;
  if (tagName === "a") {
    if (String(properties.href ?? "").length > MAX_ADDRESS) element.properties = {};
    // Of a footnote, whose link is no longer one.
    if (properties.href === undefined && isText(element.children, "↩")) element.children = [];
  }
  if (tagName === "pre" && hasClass(element, "plain")) element.tagName = "p";
  if (tagName === "table" && width !== null) setWidths(element, Math.max(width, MIN_PX));
  if (tagName === "blockquote" && width !== null && width < MIN_PX) element.tagName = "div";
  if (tagName !== "ul") return;
  if (hasClass(element, "files") || hasClass(element, "sources")) listToParagraphs(element);
  else if (itemsOf(element).every(isTask)) properties.className = ["contains-task-list"];
}

/** Separates boxes that Word would draw as one. */
const gap = (): Element => ({ type: "element", tagName: "p", properties: { className: ["gap"] }, children: [] });

/** Returns whether a box is followed by another of its kind, with no words between them. */
function isSameBox(box: Element, siblings: readonly Child[], from: number): boolean {
  if (!BOXES.has(box.tagName)) return false;
  const next = siblings.slice(from, from + 2).find((sibling) => sibling.type !== "text" || /\S/.test(sibling.value));
  return next?.type === "element" && next.tagName === box.tagName;
}

function setWidths(table: Element, width: number): void {
  const widths = columnWidths(table, width);
  table.properties.width = String(width);
  if (!widths) return;
  const columns = widths.map(
    (px): Element => ({
      type: "element",
      tagName: "col",
      properties: { width: String(px) },
      children: [],
    }),
  );
  table.children.unshift({ type: "element", tagName: "colgroup", properties: {}, children: columns });
}

/** Makes a list without bullets paragraphs, which need no numbering and no indent. */
function listToParagraphs(list: Element): void {
  list.tagName = "div";
  for (const item of itemsOf(list)) {
    const isPicture = item.children.some((child) => child.type === "element" && child.tagName === "img");
    item.tagName = isPicture ? "div" : "p";
  }
}

const itemsOf = ({ children }: Element): Element[] =>
  children.filter((child): child is Element => child.type === "element" && child.tagName === "li");

/** Returns whether an item of a list begins with a checkbox. */
function isTask({ children }: Element): boolean {
  const first = children.find((child) => child.type === "element");
  if (first?.tagName === "p") return isTask(first);
  return first?.tagName === "input";
}

const isText = (children: readonly ElementContent[], text: string): boolean =>
  children.length === 1 && children[0]?.type === "text" && children[0].value.startsWith(text);

const hasClass = ({ properties: { className } }: Element, name: string): boolean =>
  Array.isArray(className) && className.includes(name);
