import type { SearchHit } from "#contract/search.ts";

/** What was found in a chat, in the order in which it was found. `titleHit`: its title was found too. */
export type HitGroup = {
  chatId: string;
  title: string;
  isArchived: boolean;
  titleHit: SearchHit | null;
  hits: SearchHit[];
};

/** By chats, each where its best hit stands. */
export function groupHits(hits: readonly SearchHit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>();
  for (const hit of hits) {
    const { chatId, title, isArchived = false } = hit;
    const group = groups.get(chatId) ?? { chatId, title, isArchived, titleHit: null, hits: [] };
    groups.set(chatId, group);
    if (hit.messageId === null) group.titleHit = hit;
    else group.hits.push(hit);
  }
  return [...groups.values()];
}

/** The hits as the arrow keys go through them. */
export const inOrder = (groups: readonly HitGroup[]): SearchHit[] =>
  groups.flatMap(({ titleHit, hits }) => (titleHit ? [titleHit, ...hits] : hits));

/** A text in pieces, those that were found apart from the others. Marks in UTF-16 units, ascending. */
export function piecesOf(text: string, marks: readonly (readonly [number, number])[]) {
  const pieces: { text: string; isMarked: boolean; at: number }[] = [];
  let at = 0;
  for (const [start, end] of marks) {
    if (start > at) pieces.push({ text: text.slice(at, start), isMarked: false, at });
    pieces.push({ text: text.slice(start, end), isMarked: true, at: start });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMarked: false, at });
  return pieces;
}
