import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { SearchHit } from "#contract/conversation/search.ts";

/** Hits in one chat, in the order of the results. `titleHit`: set if its title matches too. */
export type HitGroup = {
  chatId: string;
  title: string;
  isArchived: boolean;
  isPinned: boolean;
  titleHit: SearchHit | null;
  hits: SearchHit[];
};

/**
 * Groups hits by chat, each group at the position of its best hit.
 * @param chats the loaded chats, which are known to be pinned or not; a hit does not say it
 */
export function groupHits(hits: readonly SearchHit[], chats: readonly ChatListItem[] = []): HitGroup[] {
  const pinned = new Set(chats.flatMap(({ id, isPinned }) => (isPinned ? [id] : [])));
  const groups = new Map<string, HitGroup>();
  for (const hit of hits) {
    const { chatId, title, isArchived = false } = hit;
    const group = groups.get(chatId) ?? {
      ...{ chatId, title, isArchived, isPinned: pinned.has(chatId) },
      ...{ titleHit: null, hits: [] },
    };
    groups.set(chatId, group);
    if (hit.messageId === null) group.titleHit = hit;
    else group.hits.push(hit);
  }
  return [...groups.values()];
}

/** Returns the hits in the order of the arrow keys. */
export const inOrder = (groups: readonly HitGroup[]): SearchHit[] =>
  groups.flatMap(({ titleHit, hits }) => (titleHit ? [titleHit, ...hits] : hits));

/** Splits a text into marked and unmarked pieces. Marks in UTF-16 units, ascending. */
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
