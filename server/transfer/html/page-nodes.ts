import type { Element, Root } from "hast";
import { type PageNode, type PagePhrase, PHRASE } from "#contract/shares/shared-page.ts";
import { alertTitles, DIAGRAM_CAPTION, DISCLOSURE_SUMMARY } from "./product-words.ts";

type Child = Root["children"][number];

/** Returns sanitised elements as nodes of a shared page, with words of the product as phrases. */
export function toPageNodes({ children }: Pick<Root, "children">): PageNode[] {
  return children.flatMap(nodesOf);
}

/** Returns nodes as they are stored in a page: JSON, separated by commas. */
export const joinNodes = (nodes: readonly PageNode[]): string => nodes.map((node) => JSON.stringify(node)).join(",");

/** Returns a phrase of a page. */
export const phrase = (key: PagePhrase, parameters: Readonly<Record<string, string>> = {}): PageNode => [
  PHRASE,
  { key, ...parameters },
];

/** Returns the node of a child; none of a comment. */
function nodesOf(child: Child): PageNode[] {
  if (child.type === "text") return [child.value];
  return child.type === "element" ? [[child.tagName, attributesOf(child), ...childrenOf(child)]] : [];
}

function childrenOf(element: Element): PageNode[] {
  const words = phraseWithin(element);
  if (words) return [words];
  if (!hasClass(element, "alert")) return toPageNodes(element);
  return element.children.flatMap((child) => (isTitled(child) ? [titleNode(child)] : nodesOf(child)));
}

/** Returns the words of the product that are all of an element's text. */
function phraseWithin({ tagName, children }: Element): PageNode | null {
  const [only, ...others] = children;
  if (only?.type !== "text" || others.length > 0) return null;
  if (tagName === "figcaption" && only.value === DIAGRAM_CAPTION) return phrase("diagram");
  if (tagName === "summary" && only.value === DISCLOSURE_SUMMARY) return phrase("details");
  return null;
}

const alertKinds = new Map(
  Object.entries(alertTitles).map(([kind, title]) => [title, kind as keyof typeof alertTitles]),
);

/** The kind of an alert whose title a paragraph is. */
function kindOf(child: Child): keyof typeof alertTitles | undefined {
  const [strong] = child.type === "element" && child.tagName === "p" ? child.children : [];
  const [title] = strong?.type === "element" && strong.tagName === "strong" ? strong.children : [];
  return title?.type === "text" ? alertKinds.get(title.value) : undefined;
}

const isTitled = (child: Child): child is Element => kindOf(child) !== undefined;

function titleNode(paragraph: Element): PageNode {
  const kind = kindOf(paragraph);
  return ["p", {}, ["strong", {}, ...(kind ? [phrase(kind)] : [])]];
}

const hasClass = ({ properties }: Element, name: string): boolean =>
  Array.isArray(properties.className) ? properties.className.includes(name) : properties.className === name;

function attributesOf({ properties }: Element): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [property, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    const name = property === "className" ? "class" : property.toLowerCase();
    attributes[name] = value === true ? "" : Array.isArray(value) ? value.join(" ") : String(value);
  }
  return attributes;
}
