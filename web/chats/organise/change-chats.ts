import type { ChatBatch } from "#contract/calls/chat-calls.ts";
import { type ChatListItem, chatBatchAnswerSchema } from "#contract/chats.ts";
import { CHATS_AT_ONCE } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import type { Api } from "../../api/client.ts";
import { i18n } from "../../locales/i18n.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { chatLocation, untitledOf } from "../state/chat-changes.ts";
import { chatEvents } from "../state/chats-slice.ts";
import type { ChatsState } from "../state/chats-state.ts";
import type { ChatsDispatch, ChatsRoot, ChatsThunk } from "../state/chats-store.ts";
import { isGone, refreshChat } from "../state/chats-thunks.ts";
import { wordFailure } from "../state/word-failure.ts";
import { announce } from "./announce.ts";
import { focusAfterUndo } from "./focus-line.ts";
import { offerUndo } from "./offer-undo.ts";

export type LocationChange = Pick<ChatBatch["change"], "isPinned" | "isArchived" | "folderId">;
type Told = "archived" | "unarchived" | "pinned" | "unpinned" | "unfiled" | "moved";

/**
 * The chats as this page knows them, also one that is open without being in the list. `before`: as they were when they
 * left the list; what was being written in them may have ended unseen.
 */
function itemsOf({ chats }: ChatsRoot, ids: readonly string[], before: readonly ChatListItem[] = []): ChatListItem[] {
  return ids.flatMap((id) => {
    const item = chats.chats.find((chat) => chat.id === id);
    const open = chats.conversations[id];
    const left = before.find((chat) => chat.id === id);
    if (item) return item;
    if (open) return { id, title: open.title, ...untitledOf(open), updatedAt: open.updatedAt, ...open.place };
    return left ? { ...left, isWriting: false } : [];
  });
}

function withChange(item: ChatListItem, { folderId, ...change }: LocationChange): ChatListItem {
  const { isPinned: _pinned, isArchived: _archived, folderId: before, ...rest } = item;
  const folder = folderId === undefined ? before : (folderId ?? undefined);
  return { ...rest, ...chatLocation({ ...item, ...change, folderId: folder }) };
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

/** What a change has to put back in a chat. */
function reverseOf({ isPinned, isArchived, folderId }: LocationChange, before: ChatListItem): LocationChange {
  return {
    ...(isPinned !== undefined && { isPinned: before.isPinned ?? false }),
    ...(isArchived !== undefined && { isArchived: before.isArchived ?? false }),
    ...(folderId !== undefined && { folderId: before.folderId ?? null }),
  };
}

/** Takes a change back, and nothing else: what chats have become meanwhile, they stay. */
function takeBack(before: readonly ChatListItem[], change: LocationChange): ChatsThunk<void> {
  return (dispatch, getState) => {
    // Only those that the change took off the list are known by what they were.
    const left = change.isArchived ? before : [];
    const chats = before.flatMap((item) =>
      itemsOf(getState(), [item.id], left).map((now) => withChange(now, reverseOf(change, item))),
    );
    dispatch(chatEvents.putChats({ chats }));
  };
}

/**
 * Pins, archives or files chats: shown at once, and taken back with a sentence where the server refuses it. `left`: as
 * they were before they left the list.
 */
export function changeChats(
  ids: readonly string[],
  change: LocationChange,
  left: readonly ChatListItem[] = [],
): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = itemsOf(getState(), ids, left);
    dispatch(chatEvents.putChats({ chats: before.map((item) => withChange(item, change)) }));
    const told = wordChange(getState().chats, change, ids.length);
    try {
      await post(api, ids, change);
    } catch (cause) {
      dispatch(takeBack(before, change));
      notify("error", wordFailure(cause, i18n.t("organise:failure.change")));
      return;
    }
    if (change.isArchived) offerUndo(told, () => unarchive(dispatch, ids, before));
    else dispatch(announce(told));
  };
}

function unarchive(dispatch: ChatsDispatch, ids: readonly string[], before: readonly ChatListItem[]): void {
  const left = before.map((chat) => ({ ...chat, isArchived: true }));
  void dispatch(changeChats(ids, { isArchived: false }, left));
  focusAfterUndo(before[0]);
}

function wordChange({ folders }: ChatsState, change: LocationChange, count: number): string {
  const name = folders.find(({ id }) => id === change.folderId)?.name ?? "";
  return i18n.t(`organise:told.${toldOf(change)}`, { count, name });
}

function toldOf({ isPinned, isArchived, folderId }: LocationChange): Told {
  if (isArchived !== undefined) return isArchived ? "archived" : "unarchived";
  if (folderId) return "moved";
  if (isPinned !== undefined) return isPinned ? "pinned" : "unpinned";
  return "unfiled";
}

/** A title by the person, shown at once. */
export function renameChat(id: string, title: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = itemsOf(getState(), [id]);
    const name = (text: string, isUntitled: boolean) => {
      const now = itemsOf(getState(), [id]);
      dispatch(chatEvents.putChats({ chats: now.map((item) => ({ ...item, title: text, isUntitled })) }));
    };
    name(title, false);
    try {
      await api.patch(paths.chat(encodeURIComponent(id)), { title }, null);
    } catch (cause) {
      // Somebody may have named it otherwise meanwhile.
      if (before[0] && itemsOf(getState(), [id])[0]?.title === title)
        name(before[0].title, before[0].isUntitled ?? false);
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
    const text = i18n.t("organise:told.deleted", { count: ids.length });
    offerUndo(text, () => void dispatch(undoDeletion(before, reopened)));
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
    else focusAfterUndo(back[0]);
    dispatch(announce(i18n.t("organise:told.restored")));
  };
}
