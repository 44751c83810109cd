import type { ChatBatch } from "#contract/conversation/chat-calls.ts";
import { type ChatListItem, chatBatchAnswerSchema } from "#contract/conversation/chats.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { CHATS_AT_ONCE } from "#contract/limits.ts";
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
import { offerChatsUndo } from "./offer-undo.ts";

export type LocationChange = Pick<ChatBatch["change"], "isPinned" | "isArchived" | "folderId">;
type MoveOptions = {
  /** Items of chats that are not in the list. */
  left?: readonly ChatListItem[];
  /** Called when an Undo of the move was accepted, and no other Undo is pending. */
  onUndone?: () => void;
};
type Outcome = "archived" | "unarchived" | "pinned" | "unpinned" | "unfiled" | "moved";

/**
 * Returns the list items of chats, including an open chat that is not in the list. `before`: fallback items of chats
 * that left the list; their replies may have ended meanwhile, so `isWriting` is reset.
 */
function itemsOf({ chats }: ChatsRoot, ids: readonly string[], before: readonly ChatListItem[] = []): ChatListItem[] {
  return ids.flatMap((id) => {
    const item = chats.chats.find((chat) => chat.id === id);
    const open = chats.conversations[id];
    const left = before.find((chat) => chat.id === id);
    if (item) return item;
    if (open) return { id, title: open.title, ...untitledOf(open), updatedAt: open.updatedAt, ...open.location };
    return left ? { ...left, isWriting: false } : [];
  });
}

function withChange(item: ChatListItem, { folderId, ...change }: LocationChange): ChatListItem {
  const { isPinned: _pinned, isArchived: _archived, folderId: before, ...rest } = item;
  const folder = folderId === undefined ? before : (folderId ?? undefined);
  return { ...rest, ...chatLocation({ ...item, ...change, folderId: folder }) };
}

/** Applies a change to chats in batches of `CHATS_AT_ONCE`. @returns ids of the chats that the server changed */
async function post(api: Api, ids: readonly string[], change: ChatBatch["change"]): Promise<string[]> {
  const changed: string[] = [];
  for (let done = 0; done < ids.length; done += CHATS_AT_ONCE) {
    const body = { ids: ids.slice(done, done + CHATS_AT_ONCE), change };
    changed.push(...(await api.post(conversationPaths.chatBatch, body, chatBatchAnswerSchema)).changed);
  }
  return changed;
}

/** Returns the change that restores the fields that `change` sets. */
function reverseOf({ isPinned, isArchived, folderId }: LocationChange, before: ChatListItem): LocationChange {
  return {
    ...(isPinned !== undefined && { isPinned: before.isPinned ?? false }),
    ...(isArchived !== undefined && { isArchived: before.isArchived ?? false }),
    ...(folderId !== undefined && { folderId: before.folderId ?? null }),
  };
}

/** Rolls back an optimistic change, and no other changes that happened meanwhile. */
function takeBack(before: readonly ChatListItem[], change: LocationChange): ChatsThunk<void> {
  return (dispatch, getState) => {
    // Only chats that the change removed from the list fall back to their former items.
    const left = change.isArchived ? before : [];
    const chats = before.flatMap((item) =>
      itemsOf(getState(), [item.id], left).map((now) => withChange(now, reverseOf(change, item))),
    );
    dispatch(chatEvents.putChats({ chats }));
  };
}

/** Pins, archives or files chats as an optimistic update; on failure it is rolled back and the person notified. */
export function changeChats(
  ids: readonly string[],
  change: LocationChange,
  { left = [], onUndone }: MoveOptions = {},
): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = itemsOf(getState(), ids, left);
    dispatch(chatEvents.putChats({ chats: before.map((item) => withChange(item, change)) }));
    const folder = folderOf(getState().chats, change);
    try {
      await post(api, ids, change);
    } catch (cause) {
      dispatch(takeBack(before, change));
      notify("error", wordFailure(cause, i18n.t("organise:failure.change")));
      return;
    }
    const { folderId } = change;
    const isHidden = typeof folderId === "string" && !getState().chats.openFolders.includes(folderId);
    const outcome = outcomeOf(change);
    if (outcome === "archived")
      offerChatsUndo({ kind: outcome, chats: before }, () => unarchive(dispatch, ids, before));
    // The chats have just left the sight of the person.
    else if (outcome === "moved" && isHidden)
      offerChatsUndo({ kind: outcome, chats: before, folder }, () => void undoMove(dispatch, before, change, onUndone));
    else dispatch(announce(i18n.t(`organise:told.${outcome}`, { count: ids.length, name: folder })));
  };
}

/** Pending Undos of moves: one notification may undo several. */
const pendingUndos = new Set<Promise<boolean>>();

async function undoMove(
  dispatch: ChatsDispatch,
  before: readonly ChatListItem[],
  change: LocationChange,
  onUndone: (() => void) | undefined,
): Promise<void> {
  const undo = dispatch(moveBack(before, change));
  pendingUndos.add(undo);
  const isUndone = await undo;
  pendingUndos.delete(undo);
  if (!isUndone || !onUndone) return;
  await Promise.all(pendingUndos);
  onUndone();
}

/** Moves chats back to where each was before a change. Resolves to whether the server accepted it. */
function moveBack(before: readonly ChatListItem[], change: LocationChange): ChatsThunk<Promise<boolean>> {
  return async (dispatch, getState, { api }) => {
    const ids = before.map(({ id }) => id);
    dispatch(takeBack(before, change));
    focusAfterUndo(before[0]);
    const reverses = new Map<string, string[]>();
    for (const item of before) {
      const reverse = JSON.stringify(reverseOf(change, item));
      reverses.set(reverse, [...(reverses.get(reverse) ?? []), item.id]);
    }
    const restored = new Set<string>();
    try {
      for (const [reverse, chats] of reverses) {
        await post(api, chats, JSON.parse(reverse));
        for (const id of chats) restored.add(id);
      }
    } catch (cause) {
      const now = itemsOf(
        getState(),
        ids.filter((id) => !restored.has(id)),
      );
      dispatch(chatEvents.putChats({ chats: now.map((item) => withChange(item, change)) }));
      notify("error", wordFailure(cause, i18n.t("organise:failure.undo")));
      return false;
    }
    dispatch(announce(i18n.t("organise:told.restored")));
    return true;
  };
}

function unarchive(dispatch: ChatsDispatch, ids: readonly string[], before: readonly ChatListItem[]): void {
  const left = before.map((chat) => ({ ...chat, isArchived: true }));
  void dispatch(changeChats(ids, { isArchived: false }, { left }));
  focusAfterUndo(before[0]);
}

function folderOf({ folders }: ChatsState, { folderId }: LocationChange): string {
  return folders.find(({ id }) => id === folderId)?.name ?? "";
}

function outcomeOf({ isPinned, isArchived, folderId }: LocationChange): Outcome {
  if (isArchived !== undefined) return isArchived ? "archived" : "unarchived";
  if (folderId) return "moved";
  if (isPinned !== undefined) return isPinned ? "pinned" : "unpinned";
  return "unfiled";
}

/** Renames a chat as an optimistic update. */
export function renameChat(id: string, title: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = itemsOf(getState(), [id]);
    const name = (text: string, isUntitled: boolean) => {
      const now = itemsOf(getState(), [id]);
      dispatch(chatEvents.putChats({ chats: now.map((item) => ({ ...item, title: text, isUntitled })) }));
    };
    name(title, false);
    try {
      await api.patch(conversationPaths.chat(encodeURIComponent(id)), { title }, null);
    } catch (cause) {
      // The title is restored only if it was not changed again meanwhile.
      if (before[0] && itemsOf(getState(), [id])[0]?.title === title)
        name(before[0].title, before[0].isUntitled ?? false);
      notify("error", wordFailure(cause, i18n.t("organise:failure.change")));
    }
  };
}

/** Deletes chats and offers to undo that; undo reopens the chat that was open. */
export function deleteChats(ids: readonly string[]): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const { currentChat } = getState().chats;
    const before = itemsOf(getState(), ids);
    for (const chat of ids) dispatch(chatEvents.deleteChat({ chat }));
    try {
      if (ids.length === 1) await api.delete(conversationPaths.chat(encodeURIComponent(ids[0] ?? "")));
      else await post(api, ids, { isDeleted: true });
    } catch (cause) {
      if (!isGone(cause)) {
        const error = wordFailure(cause, i18n.t("chat:failure.delete"));
        for (const chat of ids) dispatch(chatEvents.deleteChatFailure({ chat, error }));
        // Replies in progress are not followed while a chat is being deleted: read the chats again.
        for (const chat of ids)
          if (getState().chats.conversations[chat]) await dispatch(refreshChat(chat)).catch(() => {});
        return;
      }
    }
    for (const chat of ids) dispatch(chatEvents.deleteChatSuccess({ chat }));
    const reopened = ids.find((id) => id === currentChat);
    offerChatsUndo({ kind: "deleted", chats: before }, () => void dispatch(undoDeletion(before, reopened)));
  };
}

/** Restores deleted chats; their drafts are restored too. */
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
    // Deleting a chat stopped its reply.
    const back = chats.filter(({ id }) => changed.includes(id)).map(({ isWriting: _, ...chat }) => chat);
    dispatch(chatEvents.restoreChats({ chats: back }));
    if (reopened !== undefined && changed.includes(reopened)) dispatch(chatEvents.goTo({ chat: reopened }));
    else focusAfterUndo(back[0]);
    dispatch(announce(i18n.t("organise:told.restored")));
  };
}
