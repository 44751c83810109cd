import { isWithoutText, MarkupText } from "../text/markup-text.ts";

/** What is read of a node of the DOM. */
export type PageNode = {
  nodeType: number;
  localName?: string | null;
  data?: string;
  firstChild: PageNode | null;
  nextSibling: PageNode | null;
  parentNode: PageNode | null;
};

/** Node type of elements. */
export const ELEMENT = 1;
const TEXT = 3;

/**
 * Collects the text below a node as Markdown of headings, items and rows, without a recursion that deep nesting could
 * exhaust.
 * @param max UTF-16 units, after which the rest is not read
 */
export function textBelow(root: PageNode, max: number): string {
  const text = new MarkupText();
  for (let node: PageNode | null = root; node !== null && text.length <= max; ) {
    const isElement = node.nodeType === ELEMENT;
    const isSkipped = isElement && isWithoutText(nameOf(node));
    if (node.nodeType === TEXT) text.text(node.data ?? "");
    else if (isElement && !isSkipped) text.open(nameOf(node));
    if (node.firstChild && !isSkipped) {
      node = node.firstChild;
      continue;
    }
    if (isElement && !isSkipped && node !== root) text.close(nameOf(node));
    while (node !== null && node !== root && node.nextSibling === null) {
      node = node.parentNode;
      if (node?.nodeType === ELEMENT) text.close(nameOf(node));
    }
    node = node === root ? null : (node?.nextSibling ?? null);
  }
  return text.toString();
}

const nameOf = ({ localName }: PageNode) => (localName ?? "").toLowerCase();
