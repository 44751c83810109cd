import type { Html, Node, Parent, Root } from "mdast";

/** Elements without a power of their own that people do write into Markdown. Every other tag is shown as text. */
const PAIRED = new Set(["b", "strong", "i", "em", "u", "s", "del", "ins", "mark", "small", "sub", "sup", "kbd", "q"]);
const TAG = /^<(\/?)([a-z]+)\s*\/?>$/i;
const COMMENT = /^<!--[\s\S]*-->$/;

type Tagged = Parent & { type: "tagged"; data: { hName: string } };

const isParent = (node: Node): node is Parent => "children" in node && Array.isArray(node.children);

/** A remark plugin: takes up `<br>`, `<sub>…</sub>` and their like, and drops comments. */
export const remarkInlineHtml = () => (tree: Root) => takeUp(tree);

function takeUp(parent: Parent): void {
  for (const child of parent.children) if (isParent(child)) takeUp(child);
  if (!parent.children.some((child) => child.type === "html")) return;
  const out: Parent["children"] = [];
  // Where in `out` the innermost open element stands; the elements around it before.
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
  // Our own node type: remark-rehype knows what to make of it by its `hName`.
  out.push(tagged as unknown as Parent["children"][number]);
}
