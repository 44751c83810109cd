/** Repairs trees of HTML (hast) in which elements stand where a browser's parser would move or end them. */

import { blockElements, tableElements } from "./elements.ts";

/** The fields of a tree that are read and written here. */
type Node = {
  type: string;
  tagName?: string;
  properties?: { href?: unknown; src?: unknown };
  children?: Node[];
  value?: string;
};

/**
 * What is around a node. `frame`: name of its parent if that is a part of a table without words of its own; `item`: list
 * item around it, in the same list.
 */
type Around = { frame: string | null; item: string | null; isInLink: boolean; isInHeading: boolean };

const NOTHING: Around = { frame: null, item: null, isInLink: false, isInHeading: false };
const SECTIONS = ["thead", "tbody", "tfoot"];
const CELLS = ["td", "th"];
const FRAMES: Partial<Record<string, readonly string[]>> = {
  table: ["caption", "colgroup", ...SECTIONS],
  colgroup: ["col"],
  ...Object.fromEntries(SECTIONS.map((name) => [name, ["tr"]])),
  tr: CELLS,
};
const ITEMS: Partial<Record<string, string>> = { li: "li", dt: "dd", dd: "dd" };
/** Blocks that do not begin a list of their own. */
const WITHIN_ITEM = new Set(["div", "p"]);
/** Elements that take clicks. Code has a toolbar. */
const INTERACTIVE = new Set(["pre", "details", "input"]);
const HEADING = /^h[1-6]$/;

const isLink = ({ tagName, properties }: Node) => tagName === "a" && properties?.href !== undefined;
const isBlank = ({ type, value = "" }: Node) => type === "text" && value.trim() === "";

/**
 * Repairs the nesting of a sanitised tree, so that it has the same structure in every browser. A link contains no link
 * and nothing else that takes clicks; a picture in a link loses its address and remains as its alternative text. A block
 * ends the paragraph around it. Content between the cells of a table stands before the table.
 * @param extraBlocks names of further elements that are rendered as blocks
 */
export function repairNesting(tree: { children: object[] }, extraBlocks: readonly string[] = []): void {
  const blocks = new Set([...blockElements, ...extraBlocks]);
  tree.children = new Repair(blocks).all(tree.children as Node[], NOTHING);
}

class Repair {
  readonly #blocks: ReadonlySet<string>;

  constructor(blocks: ReadonlySet<string>) {
    this.#blocks = blocks;
  }

  all(nodes: readonly Node[], around: Around): Node[] {
    return nodes.flatMap((node) => this.#one(node, around));
  }

  /** Returns the nodes that replace a node. */
  #one(node: Node, around: Around): Node[] {
    const { tagName: name = "", children = [] } = node;
    if (node.type !== "element") return around.frame !== null && isBlank(node) ? [] : [node];
    if (name === "img") return [around.isInLink ? withoutAddress(node) : node];
    const wrapper = wrapperOf(name, around.frame);
    if (wrapper !== null)
      return this.#one({ type: "element", tagName: wrapper, properties: {}, children: [node] }, around);
    if (this.#isDissolved(node, around)) return this.all(children, around);
    return this.#split({ ...node, children: this.all(children, this.#within(node, around)) });
  }

  /** Returns whether only the children of an element remain. */
  #isDissolved(node: Node, { frame, item, isInLink, isInHeading }: Around): boolean {
    const { tagName: name = "" } = node;
    if (frame !== null) return !isAllowed(frame, name) && holds(node, isOfTable);
    const isSameItem = item !== null && ITEMS[name] === item;
    return isSameItem || tableElements.has(name) || (isInLink && isLink(node)) || (isInHeading && HEADING.test(name));
  }

  #within(node: Node, { frame, item, isInLink, isInHeading }: Around): Around {
    const { tagName: name = "" } = node;
    const isFrame = name in FRAMES && (name === "table" || (frame !== null && isAllowed(frame, name)));
    const isOwnList = this.#blocks.has(name) && !WITHIN_ITEM.has(name);
    return {
      frame: isFrame ? name : null,
      item: ITEMS[name] ?? (isOwnList ? null : item),
      isInLink: isInLink || isLink(node),
      isInHeading: HEADING.test(name) || (isInHeading && !isOwnList),
    };
  }

  /** Splits a paragraph at its blocks, and a link at what takes clicks; moves the words of a table before it. */
  #split(node: Node): Node[] {
    const { tagName: name = "", children = [] } = node;
    if (name === "p") return piecesOf(node, (child) => holds(child, this.#isBlock));
    if (isLink(node)) return piecesOf(node, (child) => holds(child, isInteractive));
    if (!(name in FRAMES)) return [node];
    const isOwn = (child: Node) => child.type === "comment" || isAllowed(name, child.tagName ?? "");
    return [...children.filter((child) => !isOwn(child)), { ...node, children: children.filter(isOwn) }];
  }

  readonly #isBlock = ({ tagName = "" }: Node) => this.#blocks.has(tagName);
}

const isAllowed = (frame: string, name: string) => FRAMES[frame]?.includes(name) === true;
const isOfTable = ({ tagName = "" }: Node) => tableElements.has(tagName);
const isInteractive = ({ tagName = "" }: Node) => INTERACTIVE.has(tagName);

/** Returns the name of the element that HTML implies between a frame and a row, cell or column; else null. */
function wrapperOf(name: string, frame: string | null): string | null {
  const isCell = CELLS.includes(name);
  if (frame === "table") return isCell || name === "tr" ? "tbody" : name === "col" ? "colgroup" : null;
  return isCell && frame !== null && SECTIONS.includes(frame) ? "tr" : null;
}

/** Returns whether a node or a node in it, but not in a table in it, matches. */
function holds(node: Node, matches: (node: Node) => boolean): boolean {
  if (node.type !== "element") return false;
  return matches(node) || (node.tagName !== "table" && (node.children ?? []).some((child) => holds(child, matches)));
}

function withoutAddress(node: Node): Node {
  const { src: _, ...properties } = node.properties ?? {};
  return { ...node, properties };
}

/** Splits an element into the children at which it ends, and copies of it around the others. */
function piecesOf(node: Node, endsAt: (child: Node) => boolean): Node[] {
  const { children = [] } = node;
  if (!children.some(endsAt)) return [node];
  const pieces: Node[] = [];
  let own: Node[] = [];
  const flush = () => {
    if (!own.every(isBlank)) pieces.push({ ...node, children: own });
    own = [];
  };
  for (const child of children) {
    if (!endsAt(child)) own.push(child);
    else {
      flush();
      pieces.push(child);
    }
  }
  flush();
  return pieces;
}
