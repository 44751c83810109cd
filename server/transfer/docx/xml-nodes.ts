/**
 * An element of XML as the library `docx` writes it: its name with its children, or with its attributes under `_attr`.
 * Attributes beside children are the child `_attr`.
 */
export type XmlElement = { readonly [name: string]: XmlContent };
type XmlContent = readonly XmlNode[] | Readonly<Record<string, unknown>>;
export type XmlNode = XmlElement | string;

/** Returns the name of an element; empty for a text. */
export const nameOf = (node: XmlNode): string => (typeof node === "string" ? "" : (Object.keys(node)[0] ?? ""));

/** Returns the children of an element, attributes included if it has both. */
export function childrenOf(node: XmlNode | undefined): readonly XmlNode[] {
  const content = node === undefined || typeof node === "string" ? undefined : Object.values(node)[0];
  return Array.isArray(content) ? content : [];
}

/** Returns the text in nodes. */
export const xmlText = (nodes: readonly XmlNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : xmlText(childrenOf(node)))).join("");
