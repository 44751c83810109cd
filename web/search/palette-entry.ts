import type { ReactNode } from "react";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { SearchHit } from "#contract/conversation/search.ts";
import { matchWords } from "./match-words.ts";

/** An action in the palette, chosen like a hit. */
export type PaletteEntry = {
  id: string;
  label: string;
  /** The name of its group. */
  group: string;
  icon: ReactNode;
  /** Its key, as rendered and as named by `aria-keyshortcuts`. */
  keys?: { shown: ReactNode; names: string } | undefined;
  note?: string | undefined;
  isChosen?: boolean | undefined;
  isDanger?: boolean | undefined;
  /** Enter runs it only after it was stepped to or pointed at. */
  isDrastic?: boolean | undefined;
  choose: () => void;
};

/** Options of a search besides its hits. */
export type PaletteEntries = {
  /** Returns the actions that match the query; all of them for an empty query. */
  entriesFor: (query: string) => readonly PaletteEntry[];
  /** Loaded chats, latest first: recent chats, and a fallback for titles if the server does not respond. */
  chats: readonly ChatListItem[];
  recentLabel: string;
  /**
   * Set while only the choices of one entry are listed: their label and the step back. `isStep`: opened from the full
   * list.
   */
  scope: { label: string; isStep: boolean; onBack: () => void } | null;
};

/** Number of chats offered before anything is typed. */
const RECENT = 5;

const titleHit = (
  { id, title, updatedAt, isArchived, folderId }: ChatListItem,
  marks: [number, number][],
): SearchHit => ({
  ...{ chatId: id, title, messageId: null, role: null, model: null, at: updatedAt, snippet: title, marks },
  ...(isArchived && { isArchived }),
  ...(folderId !== undefined && { folderId }),
});

/** Returns the latest chats, or those whose titles match the query. */
export function titleHits(chats: readonly ChatListItem[], query: string): SearchHit[] {
  if (query.trim() === "") return chats.slice(0, RECENT).map((chat) => titleHit(chat, []));
  const hits = chats.flatMap((chat) => {
    const marks = matchWords(chat.title, query);
    return marks && marks.length > 0 ? [titleHit(chat, marks)] : [];
  });
  return hits.slice(0, RECENT);
}

/**
 * Splits the entries into those before and after the hits. Before anything is typed, the first group precedes the
 * recent chats.
 */
export function aroundHits(entries: readonly PaletteEntry[], isBegin: boolean): [PaletteEntry[], PaletteEntry[]] {
  const first = entries[0]?.group;
  const isBefore = ({ group }: PaletteEntry) => !isBegin || group === first;
  return [entries.filter(isBefore), entries.filter((entry) => !isBefore(entry))];
}
