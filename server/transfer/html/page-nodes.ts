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
  return child.type === "element" ? [[child.tagName, attributesOf(child), ...toPageNodes(child)]] : [];
}

function attributesOf({ properties }: Element): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [property, value] of Object.entries(properties)) {
    if (value === false || value === null || value === undefined) continue;
    const name = property === "className" ? "class" : property.toLowerCase();
    attributes[name] = value === true ? "" : Array.isArray(value) ? value.join(" ") : String(value);
  }
  return attributes;
}
