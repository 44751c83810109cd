import type { Node, Parent, Root, RootContent } from "mdast";

const isParent = (node: Node): node is Parent => "children" in node && Array.isArray(node.children);

/**
 * A remark plugin: words with a line of `-` or `=` right below them are words and a line. CommonMark takes them for a
 * title; but they have long been read as words when the line comes, and models mean to part what follows from them.
 */
export const remarkUnderlinedWords = () => (tree: Root) => takeApart(tree);

function takeApart(parent: Parent): void {
  parent.children = parent.children.flatMap((child): RootContent[] => {
    if (isUnderlined(child)) return [{ ...child, type: "paragraph" }, { type: "thematicBreak" }];
    if (isParent(child)) takeApart(child);
    return [child];
  });
}

/** A title that is marked at its beginning ends with its line. */
function isUnderlined(node: RootContent): node is Extract<RootContent, { type: "heading" }> {
  return node.type === "heading" && node.position?.start.line !== node.position?.end.line;
}
