import type { Html, Node, Parent, Root } from "mdast";

/** Harmless inline elements that people write in Markdown. Every other tag is shown as text. */
const PAIRED = new Set(["b", "strong", "i", "em", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "kbd", "q"]);
const TAG = /^<(\/?)([a-z]+)\s*\/?>$/i;
const COMMENT = /^<!--[\s\S]*-->$/;

type Tagged = Parent & { type: "tagged"; data: { hName: string } };

const isParent = (node: Node): node is Parent => "children" in node && Array.isArray(node.children);

/** Remark plugin that converts `<br>`, `<sub>…</sub>` and similar tags to nodes, and drops comments. */
export const remarkInlineHtml = () => (tree: Root) => takeUp(tree);

function takeUp(parent: Parent): void {
  for (const child of parent.children) if (isParent(child)) takeUp(child);
  if (!parent.children.some((child) => child.type === "html")) return;
  const out: Parent["children"] = [];
  // Stack of open elements with their indexes in `out`, innermost last.
  const open: { name: string; place: number }[] = [];
  for (const child of parent.children) {
    const tag = child.type === "html" ? readTag(child) : null;
    if (tag === "comment") continue;
    if (tag?.name === "br") out.push({ type: "break" });
    else if (!tag || !PAIRED.has(tag.name)) out.push(child);
    else if (tag.isEnd) close(out, open, tag.name, child);
    else {
      open.push({ name: tag.name, place: out.length });
      out.push(child);
    }
  }
  parent.children = out;
}

function readTag(node: Html): { name: string; isEnd: boolean } | "comment" | null {
  const value = node.value.trim();
  if (COMMENT.test(value)) return "comment";
  const tag = TAG.exec(value);
  return tag ? { name: (tag[2] ?? "").toLowerCase(), isEnd: tag[1] === "/" } : null;
}

function close(
  out: Parent["children"],
  open: { name: string; place: number }[],
  name: string,
  end: Parent["children"][number],
) {
  const last = open.at(-1);
  if (last?.name !== name) {
    out.push(end);
    return;
  }
  open.pop();
  const children = out.splice(last.place).slice(1);
  const tagged: Tagged = { type: "tagged", data: { hName: name }, children };
  // A custom node type: remark-rehype uses its `hName`.
  out.push(tagged as unknown as Parent["children"][number]);
}
