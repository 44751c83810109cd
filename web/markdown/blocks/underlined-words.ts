import type { Node, Parent, Root, RootContent } from "mdast";

const isParent = (node: Node): node is Parent => "children" in node && Array.isArray(node.children);

/**
 * Remark plugin that converts a setext heading (text above a line of `-` or `=`) to a paragraph and a thematic break.
 * In a stream the text is long shown as a paragraph when the line arrives, and models mean a separator.
 */
export const remarkUnderlinedWords = () => (tree: Root) => takeApart(tree);

function takeApart(parent: Parent): void {
  parent.children = parent.children.flatMap((child): RootContent[] => {
    if (isUnderlined(child)) return [{ ...child, type: "paragraph" }, { type: "thematicBreak" }];
    if (isParent(child)) takeApart(child);
    return [child];
  });
}

/** Returns whether a node is a setext heading; an ATX heading (`#`) ends on its first line. */
function isUnderlined(node: RootContent): node is Extract<RootContent, { type: "heading" }> {
  return node.type === "heading" && node.position?.start.line !== node.position?.end.line;
}
