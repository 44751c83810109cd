/** The fields of a Markdown tree (mdast) that are read here. */
type Tree = {
  type: string;
  value?: string;
  url?: string;
  title?: string | null | undefined;
  children?: Tree[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
};

/** Punctuation as wide as a letter of Chinese, Japanese or Korean, and the dashes, quotes and dots that stand beside one. */
const WIDE = String.raw`\u2010-\u2027\u3000-\u303f\u30fb\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65`;
const WIDE_MARK = new RegExp(`[${WIDE}]`);
const ADDRESS = new RegExp(String.raw`(?:https?:\/\/|www\.)[^\s<${WIDE}]+`, "gi");
/** GFM removes this punctuation from the end of a bare address. */
const TRAILING = new Set("?!.,:*_~'\"");
/** The last label of a host that begins in ASCII and goes on in a script without spaces, which no domain does. */
const MIXED_END =
  /^(?:[a-z]+:\/\/)?[^/?#]*?\.([a-z]+)(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}][^./?#]*(?:[/?#]|$))/iu;

/**
 * Ends bare addresses (GFM's autolink literals) of a Markdown tree before full-width punctuation, and before letters
 * that would make another host of them: sentences in Chinese and Japanese have no spaces around an address, and browsers
 * read the ideographic full stop as a dot of the host.
 * @param source text that the tree was parsed from
 */
export function endBareAddresses(tree: Tree, source: string): void {
  if (!tree.children) return;
  tree.children = tree.children.flatMap((child) => {
    const address = bareAddressOf(child, source);
    if (address === null) {
      endBareAddresses(child, source);
      return [child];
    }
    const end = endOf(address);
    return end === address.length
      ? [child]
      : [linkTo(address.slice(0, end), child), ...textOrLinks(address.slice(end))];
  });
}

/** Returns the text of a link that is a bare address in the source, and not one in angle or square brackets. */
function bareAddressOf({ type, url = "", children, position }: Tree, source: string): string | null {
  const [words, ...others] = children ?? [];
  if (type !== "link" || words?.type !== "text" || words.value === undefined || others.length > 0) return null;
  const start = position?.start.offset;
  if (start !== undefined && !source.startsWith(words.value, start)) return null;
  return url === words.value || url === `http://${words.value}` ? words.value : null;
}

/** Returns where an address ends, in UTF-16 units. */
function endOf(address: string): number {
  const wide = address.search(WIDE_MARK);
  const mixed = MIXED_END.exec(wide < 0 ? address : address.slice(0, wide));
  let end = mixed ? mixed[0].length : wide;
  if (end < 0) return address.length;
  while (end > 0 && TRAILING.has(address.charAt(end - 1))) end--;
  return end;
}

function linkTo(address: string, { position, ...link }: Tree): Tree {
  const url = /^https?:/i.test(address) ? address : `http://${address}`;
  return { ...link, url, children: [{ type: "text", value: address }], ...(position && { position }) };
}

/** Returns the rest of a text behind an address, in which further addresses may stand. */
function textOrLinks(rest: string): Tree[] {
  const nodes: Tree[] = [];
  let from = 0;
  const addText = (end: number) => {
    if (end > from) nodes.push({ type: "text", value: rest.slice(from, end) });
  };
  for (const { index, 0: found } of rest.matchAll(ADDRESS)) {
    const length = endOf(found);
    addText(index);
    nodes.push(linkTo(found.slice(0, length), { type: "link", title: null }));
    from = index + length;
  }
  addText(rest.length);
  return nodes;
}
