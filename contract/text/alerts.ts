/** Kinds of GitHub's alerts: block quotes whose first line is only a marker such as `[!NOTE]`. */
export const alertKinds = ["note", "tip", "important", "warning", "caution"] as const;
export type AlertKind = (typeof alertKinds)[number];

/** The fields of a Markdown tree (mdast) that are read here. */
type Tree = {
  type: string;
  value?: string;
  children?: Tree[];
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } } | undefined;
};

/** With the beginning of the next line, up to its text. */
const MARKER = new RegExp(String.raw`\[!(${alertKinds.join("|")})\][ \t]*(?:(?:\r?\n|\r)[ \t]*(?:>[ \t]*)?|$)`, "iy");

/**
 * Finds the alerts of a Markdown tree, by GitHub's rules: a marker in any case stands alone on the first line of a
 * quote that has more content, and the quote is in no list and no other quote. Removes the marker, and calls `mark`.
 * @param source text that the tree was parsed from
 */
export function markAlerts(tree: Tree, source: string, mark: (quote: Tree, kind: AlertKind) => void): void {
  for (const child of tree.children ?? []) {
    if (child.type === "details") markAlerts(child, source, mark);
    const kind = child.type === "blockquote" ? takeMarker(child, source) : null;
    if (kind) mark(child, kind);
  }
}

function takeMarker(quote: Tree, source: string): AlertKind | null {
  const [first, ...others] = quote.children ?? [];
  const [words, ...rest] = first?.type === "paragraph" ? (first.children ?? []) : [];
  const start = words?.type === "text" ? words.position?.start.offset : undefined;
  if (first === undefined || words === undefined || start === undefined) return null;
  // The source, because an escaped `\[!NOTE]` has the same text.
  MARKER.lastIndex = start;
  const name = MARKER.exec(source)?.[1]?.toLowerCase();
  const kind = alertKinds.find((known) => known === name);
  if (kind === undefined) return null;
  const value = (words.value ?? "").replace(/^[^\]]*\][ \t]*(?:\r?\n|\r)?/, "");
  const isHardBreak = value === "" && rest[0]?.type === "break";
  const kept = value === "" ? rest.slice(isHardBreak ? 1 : 0) : [movedTo(words, value, MARKER.lastIndex), ...rest];
  if (kept.length === 0 && others.length === 0) return null;
  quote.children = kept.length === 0 ? others : [{ ...first, children: kept }, ...others];
  return kind;
}

function movedTo(words: Tree, value: string, offset: number): Tree {
  return { ...words, value, ...(words.position && { position: { ...words.position, start: { offset } } }) };
}
