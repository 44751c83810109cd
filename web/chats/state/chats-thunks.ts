import type { NewChat } from "#contract/conversation/chat-calls.ts";
import { chatHistorySchema } from "#contract/conversation/chats.ts";
import { chatSchema } from "#contract/conversation/conversation.ts";
import { folderListSchema } from "#contract/conversation/folders.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/http.ts";
import { CHAT_PAGE_MAX } from "#contract/limits.ts";
import { type Api, ApiError } from "../../api/client.ts";
import { isUnavailable, keepTrying, type Patience } from "../../api/keep-trying.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { verdict } from "../../api/verdict.ts";
import { i18n } from "../../locales/i18n.ts";
import { chatEvents } from "./chats-slice.ts";
import type { ChatsState } from "./chats-state.ts";
import type { ChatsThunk } from "./chats-store.ts";
import { readChat } from "./read-chat.ts";
import { wordFailure } from "./word-failure.ts";

/** Page size of the history; the list requests the next page when its end comes into view. */
export const HISTORY_PAGE = 100;

/** Returns whether our own server reported that the chat does not exist. */
export const isGone = (cause: unknown) => cause instanceof ApiError && verdict(cause) === "gone";

export function loadHistory({ isNextPage = false } = {}): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    dispatch(chatEvents.loadHistory());
    const { chats: known, historyEnd } = getState().chats;
    // Excludes pinned chats and chats of folders, which may be older than the pages read.
    const last = isNextPage ? known.findLast(({ updatedAt }) => updatedAt >= historyEnd) : undefined;
    const query = new URLSearchParams({ limit: String(HISTORY_PAGE), ...(last && { before: last.id }) });
    try {
      const page = api.get(`${conversationPaths.chatHistory}?${query}`, chatHistorySchema);
      const [chats, order] = await Promise.all([page, isNextPage ? {} : readOrder(api)]);
      const hasMore = chats.length >= HISTORY_PAGE;
      dispatch(chatEvents.loadHistorySuccess({ chats, hasMore, isNextPage, ...order }));
    } catch (cause) {
      dispatch(chatEvents.loadHistoryFailure({ error: wordMissing(cause, i18n.t("chat:failure.history")) }));
    }
  };
}

/** Returns the sentence for a failed read. While offline, it says that the read is repeated automatically. */
function wordMissing(cause: unknown, fallback: string): string {
  return isUnavailable(cause) && !navigator.onLine ? i18n.t("chat:failure.offline") : wordFailure(cause, fallback);
}

/** Reads the pinned chats and the folders, which are listed above the day groups. */
async function readOrder(api: Api) {
  const [pinned, folders] = await Promise.all([
    api.get(`${conversationPaths.chatHistory}?pinned=true&limit=${CHAT_PAGE_MAX}`, chatHistorySchema),
    api.get(conversationPaths.folders, folderListSchema),
  ]);
  return { pinned, folders };
}

/** Reads the loaded part of the history again and replaces it, without a loading state. Rejects on failure. */
export function rereadHistory(): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const limit = Math.min(Math.max(getState().chats.chats.length, HISTORY_PAGE), CHAT_PAGE_MAX);
    const page = api.get(`${conversationPaths.chatHistory}?limit=${limit}`, chatHistorySchema);
    const [chats, order] = await Promise.all([page, readOrder(api)]);
    dispatch(chatEvents.loadHistorySuccess({ chats, hasMore: chats.length >= limit, isNextPage: false, ...order }));
  };
}

/**
 * Makes a chat current. Cached messages are shown at once and read again in the background; null is the welcome screen.
 */
export function openChat(chat: string | null): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    if (chat === null || getState().chats.conversations[chat]?.isLoaded) {
      dispatch(chatEvents.selectChat({ chat }));
      // The cached messages may be stale: another tab or device may have continued the chat.
      const isWriting = chat !== null && getState().chats.conversations[chat]?.isWriting;
      if (chat !== null && !isWriting) await dispatch(refreshChat(chat)).catch(() => {});
      return;
    }
    dispatch(chatEvents.loadChat({ chat }));
    try {
      dispatch(chatEvents.loadChatSuccess({ chat: await readChat(api, chat) }));
    } catch (cause) {
      const error = isGone(cause) ? i18n.t("chat:failure.missing") : wordMissing(cause, i18n.t("chat:failure.open"));
      dispatch(chatEvents.loadChatFailure({ chat, error, isGone: isGone(cause) }));
    }
  };
}

/**
 * Reads a chat again and replaces the cached one. Repeats the read if the chat's version (`version`) changed meanwhile.
 * Rejects on failure.
 */
export function refreshChat(chat: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    for (let isRead = false; !isRead; ) {
      const version = getState().chats.conversations[chat]?.version;
      const fresh = await readChat(api, chat);
      const now = getState().chats.conversations[chat];
      isRead = !now || now.isWriting || now.version === version;
      if (now && isRead) dispatch(chatEvents.loadChatSuccess({ chat: fresh }));
    }
  };
}

/**
 * Creates a chat and opens it. Resolves to its id, or to null after a failure. With `patience` it retries while the
 * server is unreachable, and does not open the chat if the person has opened another one meanwhile.
 */
export function createChat(patience?: Patience): ChatsThunk<Promise<string | null>> {
  return async (dispatch, getState, { api, newChat }) => {
    const body = bodyOfNew(getState().chats);
    // An intended chat keeps its idempotency key: a double click or a lost response creates no second chat.
    const request = JSON.stringify(body);
    const intended = newChat.intended?.request === request ? newChat.intended : { key: newRequestKey(), request };
    newChat.intended = intended;
    const forget = () => {
      if (newChat.intended === intended) newChat.intended = null;
    };
    const headers = { [IDEMPOTENCY_KEY_HEADER]: intended.key };
    dispatch(chatEvents.createChat());
    try {
      const post = (signal?: AbortSignal) =>
        api.post(conversationPaths.chats, body, chatSchema, { headers, ...(signal && { signal }) });
      const chat = await (patience ? keepTrying(post, patience) : post());
      forget();
      const { opening, currentChat } = getState().chats;
      const isInBackground = patience !== undefined && (opening ?? currentChat) !== null;
      dispatch(chatEvents.createChatSuccess({ chat, isInBackground }));
      return chat.id;
    } catch (cause) {
      if (patience?.signal.aborted) {
        dispatch(chatEvents.setLoading({ work: "create", isLoading: false }));
        return null;
      }
      // A response ends the intent; without one the next attempt reuses the idempotency key.
      if (!isUnavailable(cause)) forget();
      if (cause instanceof ApiError && cause.code === "preset-gone") {
        dispatch(chatEvents.guide({ chat: null, change: { presetId: null } }));
      }
      dispatch(chatEvents.createChatFailure({ error: wordFailure(cause, i18n.t("chat:failure.create")) }));
      return null;
    }
  };
}

const bodyOfNew = ({ guidanceOfNew: { presetId, effort, tools } }: ChatsState): NewChat => ({
  ...(presetId !== null && { presetId }),
  ...(effort !== null && { effort }),
  ...(tools !== null && { tools }),
});
