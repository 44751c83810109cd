import { blockElements, inlineElements, tableElements, voidElements } from "./elements.ts";
import { oldElements } from "./old-elements.ts";
import { propertiesOf, type Tag } from "./tags.ts";

/** The fields of a Markdown tree (mdast) that are read and written here. */
export type Tree = {
  type: string;
  value?: string;
  children?: Tree[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
  data?: object | undefined;
};

/** `allows`: whether an element may stand at this position of the Markdown. `decode`: replaces character references. */
export type BuilderOptions = { allows: (name: string) => boolean; decode: (text: string) => string };

/** Limit of nesting for malicious texts; deeper tags are text. */
const DEEPEST = 50;

const ROWS = ["tr", "thead", "tbody", "tfoot"];
/** End tags that HTML lets a writer omit: the elements whose start closes the element. */
const CLOSED_BY: Partial<Record<string, ReadonlySet<string>>> = {
  p: blockElements,
  li: new Set(["li"]),
  dt: new Set(["dt", "dd"]),
  dd: new Set(["dt", "dd"]),
  td: new Set(["td", "th", ...ROWS]),
  th: new Set(["td", "th", ...ROWS]),
  tr: new Set(ROWS),
  thead: new Set(ROWS.slice(1)),
  tbody: new Set(ROWS.slice(1)),
  tfoot: new Set(ROWS.slice(1)),
};
const SECTIONS = new Set(["table", "thead", "tbody", "tfoot"]);
/** Elements in which white space alone is no text. */
const FRAMES = new Set(["table", "thead", "tbody", "tfoot", "tr", "colgroup", "ul", "ol", "dl"]);

/** `written`: the source of the start tag, "" for an element that HTML implies. */
type Open = { name: string; node: Tree; children: Tree[]; written: string };

/** Builds elements from the tags between the nodes of a Markdown tree. */
export class ElementBuilder {
  readonly #out: Tree[] = [];
  readonly #open: Open[] = [];
  readonly #options: BuilderOptions;

  constructor(options: BuilderOptions) {
    this.#options = options;
  }

  add(node: Tree): void {
    this.#children().push(node);
  }

  addTag(tag: Tag, position: Tree["position"]): void {
    const isDone = tag.isEnd ? this.close(tag.name, position) : this.#start(tag, position);
    // A tag without a partner is text.
    if (!isDone) this.add({ type: "html", value: tag.written, position });
  }

  /** Adds text between tags, as written. */
  addText(text: string): void {
    const { name } = this.#open.at(-1) ?? {};
    const isFirstInPre = name === "pre" && this.#children().length === 0;
    const value = this.#options.decode(isFirstInPre ? text.replace(/^\n/, "") : text);
    if (value !== "" && !(value.trim() === "" && FRAMES.has(name ?? ""))) this.add({ type: "htmlText", value });
  }

  /** Returns whether an end tag of this name closes an element. */
  isOpen(name: string): boolean {
    return this.#indexOf(name) >= 0;
  }

  /** Closes the innermost element of a name. @returns whether there is one */
  close(name: string, position: Tree["position"]): boolean {
    const at = this.#indexOf(name);
    while (at >= 0 && this.#open.length > at) this.#end(position);
    return at >= 0;
  }

  /** @param isText whether elements without an end tag are text; else they end here */
  finish(isText: boolean, position: Tree["position"]): Tree[] {
    for (let last = this.#open.at(-1); last; last = this.#open.at(-1)) {
      const { node, children, written } = last;
      this.#end(position);
      if (!isText) continue;
      const siblings = this.#children();
      siblings.pop();
      if (written !== "") siblings.push({ type: "html", value: written, position: node.position });
      siblings.push(...children);
    }
    return this.#out;
  }

  #children(): Tree[] {
    return this.#open.at(-1)?.children ?? this.#out;
  }

  /** Returns the index of the innermost element of a name; -1 if there is none. A cell hides the elements around its table. */
  #indexOf(name: string): number {
    const at = this.#open.findLastIndex((open) => open.name === name);
    const isOfTable = name === "table" || tableElements.has(name);
    const isHidden = !isOfTable && this.#open.slice(at + 1).some((open) => open.name === "td" || open.name === "th");
    return isHidden ? -1 : at;
  }

  #start(tag: Tag, position: Tree["position"]): boolean {
    const { name } = tag;
    if (!this.#options.allows(name) || this.#open.length >= DEEPEST || !this.#mayContain(name)) return false;
    this.#closeImplied(name, position);
    if (voidElements.has(name)) this.add(this.#emptyNode(tag, position));
    else this.#push(name, propertiesOf(tag, this.#options.decode), position, tag.written);
    return true;
  }

  #mayContain(name: string): boolean {
    if (name === "a") return !this.#open.some((open) => open.name === "a");
    return !tableElements.has(name) || this.#open.some((open) => open.name === "table");
  }

  /** Ends and begins the elements that HTML implies before an element. */
  #closeImplied(name: string, position: Tree["position"]): void {
    for (let top = this.#open.at(-1); top && CLOSED_BY[top.name]?.has(name); top = this.#open.at(-1))
      this.#end(position);
    const top = this.#open.at(-1)?.name ?? "";
    const isCell = name === "td" || name === "th";
    if ((isCell || name === "tr") && top === "table") this.#push("tbody", {}, position, "");
    if (isCell && SECTIONS.has(top)) this.#push("tr", {}, position, "");
  }

  #push(name: string, properties: Record<string, unknown>, position: Tree["position"], written: string): void {
    const children: Tree[] = [];
    const hName = oldElements.get(name)?.name ?? name;
    const node: Tree = { type: "tagged", data: { hName, hProperties: properties }, children, position };
    this.add(node);
    this.#open.push({ name, node, children, written });
  }

  #emptyNode(tag: Tag, position: Tree["position"]): Tree {
    if (tag.name === "br") return { type: "break" };
    if (tag.name === "hr") return { type: "thematicBreak", position };
    const properties = propertiesOf(tag, this.#options.decode);
    if (tag.name !== "img")
      return { type: "tagged", data: { hName: tag.name, hProperties: properties }, children: [], position };
    const { src = "", alt = "" } = properties;
    return Object.assign({ type: "image", position }, { url: String(src), alt: String(alt) });
  }

  #end(position: Tree["position"]): void {
    const ended = this.#open.pop();
    if (!ended) return;
    const start = ended.node.position?.start;
    if (start && position) ended.node.position = { start, end: position.end };
    if (ended.name === "a") withoutLinks(ended.children);
  }
}

/** A link contains no link. */
function withoutLinks(children: Tree[]): void {
  for (let at = 0; at < children.length; at += 1) {
    const child = children[at];
    if (child?.type === "link" || child?.type === "linkReference") children.splice(at, 1, ...(child.children ?? []));
    else withoutLinks(child?.children ?? []);
  }
}

/** Returns whether a node is text, or an element of words that contains no block. */
export function isPhrase(node: Tree): boolean {
  if (node.type !== "tagged") return PHRASES.has(node.type);
  const { hName = "" } = (node.data ?? {}) as { hName?: string };
  return inlineElements.has(hName) && (node.children ?? []).every(isPhrase);
}

const PHRASES = new Set(
  "text htmlText html break emphasis strong delete inlineCode link linkReference image imageReference inlineMath".split(
    " ",
  ),
);
