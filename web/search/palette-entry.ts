import type { ReactNode } from "react";
import type { ChatListItem } from "#contract/chats.ts";
import type { SearchHit } from "#contract/search.ts";
import { matchWords } from "./match-words.ts";

/** What stands among what was found and can be chosen like it: something to be done. */
export type PaletteEntry = {
  id: string;
  label: string;
  /** The name of those that it belongs to. */
  group: string;
  icon: ReactNode;
  /** Its key, as it is shown and as `aria-keyshortcuts` names it. */
  keys?: { shown: ReactNode; names: string } | undefined;
  note?: string | undefined;
  isChosen?: boolean | undefined;
  isDanger?: boolean | undefined;
  /** Enter does it only where it was stepped to or pointed at. */
  isDrastic?: boolean | undefined;
  choose: () => void;
};

/** What a search offers besides its hits. */
export type PaletteEntries = {
  /** What can be done, by what was typed; all of it where that is nothing. */
  entriesFor: (query: string) => readonly PaletteEntry[];
  /** Chats that are here already, the latest first: the last ones, and what their titles find where the server does not answer. */
  chats: readonly ChatListItem[];
  recentLabel: string;
  /** The choices of one entry stand alone: how they are called, and the way back. `isStep`: it was come from all of them. */
  scope: { label: string; isStep: boolean; onBack: () => void } | null;
};

/** So many chats are offered before anything is typed. */
const RECENT = 5;

const titleHit = (
  { id, title, updatedAt, isArchived, folderId }: ChatListItem,
  marks: [number, number][],
): SearchHit => ({
  ...{ chatId: id, title, messageId: null, role: null, model: null, at: updatedAt, snippet: title, marks },
  ...(isArchived && { isArchived }),
  ...(folderId !== undefined && { folderId }),
});

/** The latest chats, or those with the words in their titles. */
export function titleHits(chats: readonly ChatListItem[], query: string): SearchHit[] {
  if (query.trim() === "") return chats.slice(0, RECENT).map((chat) => titleHit(chat, []));
  const hits = chats.flatMap((chat) => {
    const marks = matchWords(chat.title, query);
    return marks && marks.length > 0 ? [titleHit(chat, marks)] : [];
  });
  return hits.slice(0, RECENT);
}

/** What stands before the hits and what behind them: before anything is typed, the first group leads to the last chats. */
export function aroundHits(entries: readonly PaletteEntry[], isBegin: boolean): [PaletteEntry[], PaletteEntry[]] {
  const first = entries[0]?.group;
  const isBefore = ({ group }: PaletteEntry) => !isBegin || group === first;
  return [entries.filter(isBefore), entries.filter((entry) => !isBefore(entry))];
}
