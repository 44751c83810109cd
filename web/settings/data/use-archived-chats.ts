import { useCallback, useState } from "react";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import { accountQuery } from "../../queries/query.ts";
import { type QueryResult, useQuery } from "../../queries/use-query.ts";
import { settingsApi } from "../settings-api.ts";

/** Page size. */
const PAGE = 50;

const newestQuery = accountQuery((signal) => settingsApi.readArchived({ limit: PAGE }, signal));

export type ArchivedChats = {
  newest: QueryResult<ChatListItem[]>;
  chats: readonly ChatListItem[];
  hasMore: boolean;
  /** Reads the next page. Rejects when that fails. */
  showMore: () => Promise<void>;
  /** Removes a chat from the list; `putBack` inserts it at its position again. */
  remove: (id: string) => void;
  putBack: (chat: ChatListItem) => void;
};

/** Loads the archived chats by last activity: the newest page, which is refreshed, and older ones on request. */
export function useArchivedChats(): ArchivedChats {
  const newest = useQuery(newestQuery);
  const [older, setOlder] = useState<{ chats: ChatListItem[]; hasMore: boolean } | null>(null);
  const { value, change } = newest;
  const chats = byActivity([...(value ?? []), ...(older?.chats ?? [])]);
  const last = chats.at(-1);

  const showMore = useCallback(async () => {
    if (!last) return;
    const page = await settingsApi.readArchived({ limit: PAGE, before: last.id }, new AbortController().signal);
    setOlder((before) => ({ chats: [...(before?.chats ?? []), ...page], hasMore: page.length >= PAGE }));
  }, [last]);
  const remove = (id: string) => {
    change((value ?? []).filter((chat) => chat.id !== id));
    setOlder((before) => before && { ...before, chats: before.chats.filter((chat) => chat.id !== id) });
  };
  const putBack = (chat: ChatListItem) => {
    setOlder((before) => ({ chats: [...(before?.chats ?? []), chat], hasMore: before?.hasMore ?? hasMore }));
  };
  const hasMore = older?.hasMore ?? (value?.length ?? 0) >= PAGE;
  return { newest, chats, hasMore, showMore, remove, putBack };
}

function byActivity(chats: ChatListItem[]): ChatListItem[] {
  return [...new Map(chats.map((chat) => [chat.id, chat])).values()].sort((a, b) => b.updatedAt - a.updatedAt);
}
