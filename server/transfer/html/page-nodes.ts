import type { Element, Root } from "hast";
import { type PageNode, type PagePhrase, PHRASE } from "#contract/shares/shared-page.ts";

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
  if (child.type === "text") return [child.data?.phrase ? phrase(child.data.phrase) : child.value];
  if (child.type !== "element" || isBackLink(child)) return [];
  const children = hasClass(child, "footnotes") ? footnotesOf(child) : toPageNodes(child);
  return [[child.tagName, attributesOf(child), ...children]];
}

/** Begins the text of a link from a footnote to its reference: nothing in a shared page has an id to lead to. */
const BACK = "↩";

/** Returns the footnotes of a text with their title as a phrase. */
function footnotesOf({ children }: Element): PageNode[] {
  return children.flatMap((child): PageNode[] =>
    child.type === "element" && child.tagName === "h2" ? [["h2", {}, phrase("footnotes")]] : nodesOf(child),
  );
}

const isBackLink = ({ tagName, properties, children: [first] }: Element): boolean =>
  tagName === "a" && properties.href === undefined && first?.type === "text" && first.value.startsWith(BACK);

const hasClass = ({ properties }: Element, name: string): boolean =>
  Array.isArray(properties.className) && properties.className.includes(name);

function attributesOf({ properties }: Element): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [property, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    const name = property === "className" ? "class" : property.toLowerCase();
    attributes[name] = value === true ? "" : Array.isArray(value) ? value.join(" ") : String(value);
  }
  return attributes;
}
