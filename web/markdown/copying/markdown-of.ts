import type { Element, Nodes, Root } from "hast";
import { ALERT_TAG } from "../alerts.tsx";

const BLOCKS = new Set(
  `p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre table hr div section figure details summary dl dt dd ${ALERT_TAG}`.split(
    " ",
  ),
);
const MARKS: Partial<Record<string, string>> = {
  ...{ strong: "**", b: "**", em: "*", i: "*", cite: "*", dfn: "*", var: "*", del: "~~", s: "~~" },
};

/** Returns a tree of HTML as Markdown. */
export const markdownOf = (tree: Root): string => blocksOf(tree.children).join("\n\n");

const isBlock = (node: Nodes): boolean => node.type === "element" && BLOCKS.has(node.tagName);

/** Returns the blocks among nodes; words between them are a block. */
function blocksOf(nodes: readonly Nodes[]): string[] {
  const blocks: string[] = [];
  let words: Nodes[] = [];
  const flush = () => {
    const written = inlineOf(words).trim();
    if (written !== "") blocks.push(written);
    words = [];
  };
  for (const node of nodes) {
    if (node.type !== "element" || !isBlock(node)) {
      words.push(node);
      continue;
    }
    flush();
    blocks.push(...blockOf(node));
  }
  flush();
  return blocks;
}

function blockOf(node: Element): string[] {
  const { tagName, properties, children } = node;
  if (properties.dataTex !== undefined) return [textOf(node)];
  if (/^h[1-6]$/.test(tagName)) return [`${"#".repeat(Number(tagName.slice(1)))} ${inlineOf(children).trim()}`];
  if (tagName === "hr") return ["---"];
  if (tagName === "pre") return [fenceOf(node)];
  if (tagName === "table") return [tableOf(node)];
  if (tagName === "ul" || tagName === "ol") return [listOf(node)];
  if (tagName === ALERT_TAG)
    return [`> [!${String(properties.kind).toUpperCase()}]\n${prefixed(blocksOf(children).join("\n\n"), "> ")}`];
  if (tagName === "blockquote") return [prefixed(blocksOf(children).join("\n\n"), "> ")];
  return blocksOf(children);
}

function listOf({ tagName, properties, children }: Element): string {
  const items = children.filter((child): child is Element => child.type === "element" && child.tagName === "li");
  const first = Number(properties.start ?? 1);
  return items
    .map((item, index) => {
      const mark = tagName === "ol" ? `${first + index}. ` : "- ";
      const [head = "", ...rest] = blocksOf(item.children);
      const isLoose = item.children.some((child) => child.type === "element" && child.tagName === "p");
      const body = [head, ...rest].join(isLoose ? "\n\n" : "\n");
      return mark + prefixed(body, " ".repeat(mark.length)).trimStart();
    })
    .join("\n");
}

const prefixed = (text: string, prefix: string): string =>
  text
    .split("\n")
    .map((line) => (prefix + line).trimEnd())
    .join("\n");

function fenceOf(node: Element): string {
  const code = node.children.find((child): child is Element => child.type === "element" && child.tagName === "code");
  const language = String(code?.properties.className ?? "").replace(/^language-/, "");
  const text = textOf(node).replace(/\n$/, "");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function tableOf(table: Element): string {
  const [head = [], ...body] = elementsIn(table, "tr").map((row) =>
    row.children.filter((cell): cell is Element => cell.type === "element"),
  );
  const lines = [head.map(cellOf), head.map(dividerOf), ...body.map((cells) => cells.map(cellOf))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const cellOf = ({ children }: Element): string =>
  blocksOf(children).join(" ").replaceAll("\n", "<br>").replaceAll("|", "\\|");

const dividerOf = ({ properties }: Element): string =>
  properties.align === "center" ? ":-:" : properties.align === "right" ? "--:" : "---";

function elementsIn(parent: Element, name: string): Element[] {
  return parent.children.flatMap((child) => {
    if (child.type !== "element") return [];
    return child.tagName === name ? [child] : elementsIn(child, name);
  });
}

function inlineOf(nodes: readonly Nodes[]): string {
  return nodes.map(wordsOf).join("");
}

function wordsOf(node: Nodes): string {
  if (node.type === "text") return node.value.replaceAll(/[ \t]*\n[ \t]*/g, " ");
  if (node.type !== "element") return "";
  const { tagName, properties, children } = node;
  if (tagName === "br") return "\n";
  if (tagName === "input") return properties.checked ? "[x] " : "[ ] ";
  if (tagName === "code") return codeOf(textOf(node));
  if (properties.dataTex !== undefined) return textOf(node);
  const inner = inlineOf(children);
  if (tagName === "a" && typeof properties.href === "string" && inner.trim() !== "")
    return inner === properties.href ? inner : `[${inner}](${properties.href})`;
  const mark = MARKS[tagName] ?? "";
  // Marks stand beside a letter, not beside white space.
  return mark === "" || inner.trim() === "" ? inner : inner.replace(/^(\s*)([\s\S]*?)(\s*)$/, `$1${mark}$2${mark}$3`);
}

function codeOf(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return longest === 0 ? `${marks}${text}${marks}` : `${marks} ${text} ${marks}`;
}

const textOf = (node: Nodes): string =>
  node.type === "text" ? node.value : "children" in node ? node.children.map(textOf).join("") : "";
