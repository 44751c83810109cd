import type { ChatBatch } from "#contract/chat-calls.ts";
import { type ChatListItem, chatBatchAnswerSchema } from "#contract/chats.ts";
import { CHATS_AT_ONCE, SECOND } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { i18n } from "../../locales/organise-texts.ts";
import { notify } from "../../ui/notifications.ts";
import { placeOf } from "../chat-changes.ts";
import { chatEvents } from "../chats-slice.ts";
import type { ChatsState } from "../chats-state.ts";
import type { Api, ChatsRoot, ChatsThunk } from "../chats-store.ts";
import { isGone, refreshChat } from "../chats-thunks.ts";
import { wordFailure } from "../word-failure.ts";
import { announce } from "./announce.ts";

/** How long what was done can be undone by a button. */
export const UNDO_MS = 10 * SECOND;

export type PlaceChange = Pick<ChatBatch["change"], "isPinned" | "isArchived" | "folderId">;
type Told = "archived" | "unarchived" | "pinned" | "unpinned" | "unfiled" | "moved";

/** The chats as this page knows them, also one that is open without being in the list. */
function itemsOf({ chats }: ChatsRoot, ids: readonly string[]): ChatListItem[] {
  return ids.flatMap((id) => {
    const item = chats.chats.find((chat) => chat.id === id);
    const open = chats.conversations[id];
    return item ?? (open ? [{ id, title: open.title, updatedAt: open.updatedAt, ...open.place }] : []);
  });
}

function withChange(item: ChatListItem, { folderId, ...change }: PlaceChange): ChatListItem {
  const { isPinned: _pinned, isArchived: _archived, folderId: before, ...rest } = item;
  const folder = folderId === undefined ? before : (folderId ?? undefined);
  return { ...rest, ...placeOf({ ...item, ...change, folderId: folder }) };
}

/** The same change of many chats, as many at a time as the server takes. @returns ids of those that it changed */
async function post(api: Api, ids: readonly string[], change: ChatBatch["change"]): Promise<string[]> {
  const changed: string[] = [];
  for (let done = 0; done < ids.length; done += CHATS_AT_ONCE) {
    const body = { ids: ids.slice(done, done + CHATS_AT_ONCE), change };
    changed.push(...(await api.post(paths.chatBatch, body, chatBatchAnswerSchema)).changed);
  }
  return changed;
}

/** Pins, archives or files chats: shown at once, and taken back with a sentence where the server refuses it. */
export function changeChats(ids: readonly string[], change: PlaceChange): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = itemsOf(getState(), ids);
    dispatch(chatEvents.putChats({ chats: before.map((item) => withChange(item, change)) }));
    const told = wordChange(getState().chats, change, ids.length);
    try {
      await post(api, ids, change);
    } catch (cause) {
      dispatch(chatEvents.putChats({ chats: before }));
      notify("error", wordFailure(cause, i18n.t("organise:failure.change")));
      return;
    }
    if (!change.isArchived) {
      announce(told);
      return;
    }
    const undo = () => void dispatch(changeChats(ids, { isArchived: false }));
    notify("info", told, { durationMs: UNDO_MS, action: { label: i18n.t("organise:told.undo"), run: undo } });
  };
}

function wordChange({ folders }: ChatsState, change: PlaceChange, count: number): string {
  const name = folders.find(({ id }) => id === change.folderId)?.name ?? "";
  return i18n.t(`organise:told.${toldOf(change)}`, { count, name });
}

function toldOf({ isPinned, isArchived, folderId }: PlaceChange): Told {
  if (isArchived !== undefined) return isArchived ? "archived" : "unarchived";
  if (folderId) return "moved";
  if (isPinned !== undefined) return isPinned ? "pinned" : "unpinned";
  return "unfiled";
}

/** A title by the person, shown at once. */
export function renameChat(id: string, title: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = itemsOf(getState(), [id]);
    dispatch(chatEvents.putChats({ chats: before.map((item) => ({ ...item, title })) }));
    try {
      await api.patch(paths.chat(encodeURIComponent(id)), { title }, null);
    } catch (cause) {
      dispatch(chatEvents.putChats({ chats: before }));
      notify("error", wordFailure(cause, i18n.t("organise:failure.change")));
    }
  };
}

/** Deletes chats and offers to undo that; one that was open then is opened again. */
export function deleteChats(ids: readonly string[]): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const { currentChat } = getState().chats;
    const before = itemsOf(getState(), ids);
    for (const chat of ids) dispatch(chatEvents.deleteChat({ chat }));
    try {
      if (ids.length === 1) await api.delete(paths.chat(encodeURIComponent(ids[0] ?? "")));
      else await post(api, ids, { isDeleted: true });
    } catch (cause) {
      if (!isGone(cause)) {
        const error = wordFailure(cause, i18n.t("chat:failure.delete"));
        for (const chat of ids) dispatch(chatEvents.deleteChatFailure({ chat, error }));
        // Replies were let go of meanwhile.
        for (const chat of ids)
          if (getState().chats.conversations[chat]) await dispatch(refreshChat(chat)).catch(() => {});
        return;
      }
    }
    for (const chat of ids) dispatch(chatEvents.deleteChatSuccess({ chat }));
    const reopened = ids.find((id) => id === currentChat);
    const undo = () => void dispatch(undoDeletion(before, reopened));
    const text = i18n.t("organise:told.deleted", { count: ids.length });
    notify("info", text, { durationMs: UNDO_MS, action: { label: i18n.t("organise:told.undo"), run: undo } });
  };
}

/** Brings deleted chats back, with what was written in their boxes. */
function undoDeletion(chats: ChatListItem[], reopened: string | undefined): ChatsThunk<Promise<void>> {
  return async (dispatch, _getState, { api }) => {
    let changed: string[] = [];
    try {
      const ids = chats.map(({ id }) => id);
      changed = await post(api, ids, { isDeleted: false });
    } catch (cause) {
      notify("error", wordFailure(cause, i18n.t("organise:failure.undo")));
      return;
    }
    if (changed.length === 0 && chats.length > 0) {
      notify("error", i18n.t("organise:failure.tooLate"));
      return;
    }
    // What was being written in them has been stopped.
    const back = chats.filter(({ id }) => changed.includes(id)).map(({ isWriting: _, ...chat }) => chat);
    dispatch(chatEvents.restoreChats({ chats: back }));
    if (reopened !== undefined && changed.includes(reopened)) dispatch(chatEvents.goTo({ chat: reopened }));
    announce(i18n.t("organise:told.restored"));
  };
}
