import { findWords, type QueryWord } from "../../search/match-words.ts";

/** Text nodes that a reader sees as one text, each with its start in that text. */
type Block = { text: string; pieces: { node: Text; start: number }[] };

/** Longest text (UTF-16 units) that is searched in one step. */
const STEP = 10_000;
/** A step ends after a word unless the word is longer than this. */
const MAX_WORD = 1000;
const NOT_IN_WORD = /[^\p{L}\p{N}\p{M}]/u;

/** Elements within a line of text: a word may continue beyond them. */
const INLINE = new Set(
  "A ABBR B BDI BDO CITE CODE DEL DFN EM I INS KBD MARK Q S SAMP SMALL SPAN STRONG SUB SUP U VAR".split(" "),
);

/**
 * Finds the words in the rendered text of a message, in its order. Yields the ranges of each step, so that the caller may
 * pause between steps. A word may span several elements, but not several blocks.
 */
export function* findInElement(root: Element, words: readonly QueryWord[]): Generator<StaticRange[]> {
  for (const { text, pieces } of blocksOf(root)) {
    let index = 0;
    const boundaryAt = (at: number, isEnd: boolean) => {
      while (at > (pieces[index + 1]?.start ?? Infinity) || (!isEnd && at === pieces[index + 1]?.start)) index++;
      const piece = pieces[index];
      return piece && { node: piece.node, offset: at - piece.start };
    };
    for (let from = 0; from < text.length; ) {
      const to = endOfStep(text, from);
      yield findWords(text.slice(from, to), words).flatMap(([first, last]) => {
        const start = boundaryAt(from + first, false);
        const end = boundaryAt(from + last, true);
        if (!start || !end) return [];
        const [startContainer, startOffset, endContainer, endOffset] = [start.node, start.offset, end.node, end.offset];
        return [new StaticRange({ startContainer, startOffset, endContainer, endOffset })];
      });
      from = to;
    }
  }
}

function endOfStep(text: string, from: number): number {
  const limit = from + STEP;
  if (limit >= text.length) return text.length;
  const rest = text.slice(limit, limit + MAX_WORD).search(NOT_IN_WORD);
  return rest === -1 ? limit : limit + rest;
}

function* blocksOf(root: Element): Generator<Block> {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, acceptsNode);
  let block: Block = { text: "", pieces: [] };
  let parent: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const own = node instanceof Text ? blockAround(node, root) : null;
    if (own !== parent && block.text !== "") {
      yield block;
      block = { text: "", pieces: [] };
    }
    parent = own;
    if (!(node instanceof Text)) continue;
    block.pieces.push({ node, start: block.text.length });
    block.text += node.data;
  }
  if (block.text !== "") yield block;
}

/** Accepts visible text and line breaks. Formulas have a copy of their text for screen readers only. */
function acceptsNode(node: Node): number {
  if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
  const name = node.tagName.toUpperCase();
  if (name === "BR") return NodeFilter.FILTER_ACCEPT;
  const isHidden = name === "BUTTON" || name === "MATH" || name === "SVG" || node.classList.contains("sr-only");
  return isHidden ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP;
}

function blockAround(node: Text, root: Element): Element {
  let element = node.parentElement;
  while (element && element !== root && INLINE.has(element.tagName)) element = element.parentElement;
  return element ?? root;
}
