import type { NewChat } from "#contract/calls/chat-calls.ts";
import { type ChatListItem, chatHistorySchema } from "#contract/chats.ts";
import { chatSchema } from "#contract/conversation.ts";
import { folderListSchema } from "#contract/folders.ts";
import { CHAT_PAGE_MAX } from "#contract/limits.ts";
import { IDEMPOTENCY_KEY_HEADER, paths } from "#contract/paths.ts";
import { type Api, ApiError } from "../../api/client.ts";
import { isAway, keepTrying, type Patience } from "../../api/keep-trying.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { verdict } from "../../api/verdict.ts";
import { i18n } from "../../locales/i18n.ts";
import { chatEvents } from "./chats-slice.ts";
import type { ChatsState } from "./chats-state.ts";
import type { ChatsThunk } from "./chats-store.ts";
import { wordFailure } from "./word-failure.ts";

/** So many chats are read at once; the list asks for more when its end comes into view. */
export const HISTORY_PAGE = 100;

/** Our server says that there is no such chat. */
export const isGone = (cause: unknown) => cause instanceof ApiError && verdict(cause) === "gone";

export function loadHistory({ isNextPage = false } = {}): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    dispatch(chatEvents.loadHistory());
    const { chats: known, historyEnd } = getState().chats;
    // Pinned chats and those of folders may be older than what was read.
    const last = isNextPage ? known.findLast(({ updatedAt }) => updatedAt >= historyEnd) : undefined;
    const query = new URLSearchParams({ limit: String(HISTORY_PAGE), ...(last && { before: last.id }) });
    try {
      const page = api.get(`${paths.chatHistory}?${query}`, chatHistorySchema);
      const [chats, order] = await Promise.all([page, isNextPage ? {} : readOrder(api)]);
      const hasMore = chats.length >= HISTORY_PAGE;
      dispatch(chatEvents.loadHistorySuccess({ chats, hasMore, isNextPage, ...order }));
    } catch (cause) {
      dispatch(chatEvents.loadHistoryFailure({ error: wordMissing(cause, i18n.t("chat:failure.history")) }));
    }
  };
}

/** What is not here is read by itself, once there is a network: nobody has to try again. */
function wordMissing(cause: unknown, fallback: string): string {
  return isAway(cause) && !navigator.onLine ? i18n.t("chat:failure.offline") : wordFailure(cause, fallback);
}

/** What stands above the days. */
async function readOrder(api: Api) {
  const [pinned, folders] = await Promise.all([
    api.get(`${paths.chatHistory}?pinned=true&limit=${CHAT_PAGE_MAX}`, chatHistorySchema),
    api.get(paths.folders, folderListSchema),
  ]);
  return { pinned, folders };
}

/** Reads what is here of the history again and puts it in its place, without a word about it. Rejects when that fails. */
export function rereadHistory(): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const limit = Math.min(Math.max(getState().chats.chats.length, HISTORY_PAGE), CHAT_PAGE_MAX);
    const page = api.get(`${paths.chatHistory}?limit=${limit}`, chatHistorySchema);
    const [chats, order] = await Promise.all([page, readOrder(api)]);
    dispatch(chatEvents.loadHistorySuccess({ chats, hasMore: chats.length >= limit, isNextPage: false, ...order }));
  };
}

/** Makes a chat the current one, read anew unless its messages are here; null is the welcome. */
export function openChat(chat: string | null): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    if (chat === null || getState().chats.conversations[chat]?.isLoaded) {
      dispatch(chatEvents.selectChat({ chat }));
      // What is here may be old: another tab or device may have gone on.
      const isWriting = chat !== null && getState().chats.conversations[chat]?.isWriting;
      if (chat !== null && !isWriting) await dispatch(refreshChat(chat)).catch(() => {});
      return;
    }
    dispatch(chatEvents.loadChat({ chat }));
    try {
      dispatch(chatEvents.loadChatSuccess({ chat: await api.get(paths.chat(encodeURIComponent(chat)), chatSchema) }));
    } catch (cause) {
      const error = isGone(cause) ? null : wordMissing(cause, i18n.t("chat:failure.open"));
      dispatch(chatEvents.loadChatFailure({ chat, error }));
    }
  };
}

/**
 * Reads a chat again and replaces the cached one. Repeats the read where the chat's version (`turn`) changed meanwhile.
 * Rejects when that fails.
 */
export function refreshChat(chat: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    for (let isRead = false; !isRead; ) {
      const turn = getState().chats.conversations[chat]?.turn;
      const fresh = await api.get(paths.chat(encodeURIComponent(chat)), chatSchema);
      const now = getState().chats.conversations[chat];
      isRead = !now || now.isWriting || now.turn === turn;
      if (now && isRead) dispatch(chatEvents.loadChatSuccess({ chat: fresh }));
    }
  };
}

/**
 * Makes a chat and opens it. Resolves to its id, or to null after a failure. With `patience` it waits for a server, and
 * leaves a person alone who has gone on to another chat meanwhile.
 */
export function createChat(patience?: Patience): ChatsThunk<Promise<string | null>> {
  return async (dispatch, getState, { api, newChat }) => {
    const body = bodyOfNew(getState().chats);
    // One intended chat keeps its key until it is there: neither a double click nor a lost answer makes two.
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
        api.post(paths.chats, body, chatSchema, { headers, ...(signal && { signal }) });
      const chat = await (patience ? keepTrying(post, patience) : post());
      forget();
      const { opening, currentChat } = getState().chats;
      const isBehind = patience !== undefined && (opening ?? currentChat) !== null;
      dispatch(chatEvents.createChatSuccess({ chat, isBehind }));
      return chat.id;
    } catch (cause) {
      if (patience?.signal.aborted) {
        dispatch(chatEvents.setLoading({ work: "create", isLoading: false }));
        return null;
      }
      // With an answer the intent is over; without one the next try is the same intent.
      if (!isAway(cause)) forget();
      if (cause instanceof ApiError && cause.code === "preset-gone") {
        dispatch(chatEvents.guide({ chat: null, change: { presetId: null } }));
      }
      dispatch(chatEvents.createChatFailure({ error: wordFailure(cause, i18n.t("chat:failure.create")) }));
      return null;
    }
  };
}

/** So many empty chats are read to find one that can be begun again. */
const EMPTY_CHATS_READ = 3;

/**
 * New chat, as a person asks for it: opens an untouched empty chat at the top of the list, or makes one. Untouched is a
 * chat without messages, draft, instructions, preset and title, that is neither pinned nor in a folder. A preset that was
 * chosen for the next chat needs a new one. Resolves to its id, or to null after a failure.
 */
export function beginChat(): ChatsThunk<Promise<string | null>> {
  return async (dispatch, getState, { api, hasDraft }) => {
    const { chats, presetOfNew } = getState().chats;
    const isUntouched = (chat: ChatListItem) =>
      chat.isUntitled && !chat.isWriting && !chat.isPinned && !chat.folderId && !hasDraft(chat.id);
    const found = presetOfNew === null ? chats.filter(isUntouched).slice(0, EMPTY_CHATS_READ) : [];
    dispatch(chatEvents.createChat());
    for (const { id } of found) {
      const path = paths.chat(encodeURIComponent(id));
      try {
        // Another tab or device may have used it.
        const chat = await api.get(path, chatSchema);
        if (!chat.isUntitled || chat.messages.length > 0 || chat.presetId || chat.instructions || hasDraft(id))
          continue;
        await api.patch(path, { isLatest: true }, null);
        dispatch(chatEvents.createChatSuccess({ chat: { ...chat, updatedAt: Date.now() } }));
        return id;
      } catch {
        // It is gone, or there is no way to the server: making one says so.
      }
    }
    return dispatch(createChat());
  };
}

const bodyOfNew = ({ presetOfNew }: ChatsState): NewChat => (presetOfNew === null ? {} : { presetId: presetOfNew });
