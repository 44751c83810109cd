import { chatHistorySchema } from "#contract/conversation/chats.ts";
import { type Folder, folderSchema } from "#contract/conversation/folders.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { i18n } from "../../../locales/i18n.ts";
import { notify } from "../../../ui/notifications/notify.ts";
import { writeOpenFolders } from "../../open-folders.ts";
import { mergeChats } from "../../state/chat-changes.ts";
import { chatEvents } from "../../state/chats-slice.ts";
import type { ChatsThunk } from "../../state/chats-store.ts";
import { HISTORY_PAGE, rereadHistory } from "../../state/chats-thunks.ts";
import { wordFailure } from "../../state/word-failure.ts";
import { announce } from "../announce.ts";
import { changeChats } from "../change-chats.ts";
import { focusFolderAfterUndo } from "../focus-line.ts";
import { offerUndo } from "../offer-undo.ts";

function notifyFailure(cause: unknown): void {
  notify("error", wordFailure(cause, i18n.t("organise:failure.folder")));
}

/** Creates a folder and moves chats into it; Undo removes it too. Resolves to whether it was created. */
export function createFolder(name: string, chats: readonly string[]): ChatsThunk<Promise<boolean>> {
  return async (dispatch, getState, { api }) => {
    let folder: Folder;
    try {
      folder = await api.post(conversationPaths.folders, { name }, folderSchema);
    } catch (cause) {
      notifyFailure(cause);
      return false;
    }
    const { folders, folderPages } = getState().chats;
    const others = folders.filter(({ id }) => id !== folder.id);
    // A new folder has no chats to read.
    const pages = { ...folderPages, [folder.id]: { end: 0, hasMore: false } };
    dispatch(chatEvents.organise({ folders: [...others, folder], folderPages: pages }));
    const onUndone = () => void dispatch(removeUnused(folder, others.length));
    if (chats.length > 0) await dispatch(changeChats(chats, { folderId: folder.id }, { onUndone }));
    return true;
  };
}

/** Removes a new folder, unless it has chats or was changed since: it had this name, and this position from 0. */
function removeUnused({ id, name }: Folder, position: number): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    if (getState().chats.folders[position]?.id !== id || getState().chats.folders[position]?.name !== name) return;
    try {
      await api.delete(`${conversationPaths.folder(encodeURIComponent(id))}?empty=true`);
    } catch {
      // Another device has used it, or the server is away: an empty folder does no harm.
      return;
    }
    dispatch(chatEvents.organise({ folders: getState().chats.folders.filter((folder) => folder.id !== id) }));
  };
}

/** Renames a folder as an optimistic update. */
export function renameFolder(id: string, name: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = getState().chats.folders.find((folder) => folder.id === id);
    const put = (from: string | undefined, to: string) => {
      const folders = getState().chats.folders.map((folder) =>
        folder.id === id && folder.name === from ? { ...folder, name: to } : folder,
      );
      dispatch(chatEvents.organise({ folders }));
    };
    put(before?.name, name);
    try {
      await api.patch(conversationPaths.folder(encodeURIComponent(id)), { name }, null);
    } catch (cause) {
      // The name is restored only if it was not changed again meanwhile.
      if (before) put(name, before.name);
      notifyFailure(cause);
    }
  };
}

/** Moves a folder to a position, counted from 0, as an optimistic update. */
export function moveFolder(id: string, position: number): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const { folders } = getState().chats;
    const before = folders.findIndex((folder) => folder.id === id);
    dispatch(chatEvents.organise({ folders: moved(folders, id, position) }));
    try {
      await api.patch(conversationPaths.folder(encodeURIComponent(id)), { position }, null);
      const name = folders[before]?.name ?? "";
      dispatch(announce(i18n.t("organise:told.folderMoved", { name, place: position + 1, all: folders.length })));
    } catch (cause) {
      dispatch(chatEvents.organise({ folders: moved(getState().chats.folders, id, before) }));
      notifyFailure(cause);
    }
  };
}

function moved(folders: readonly Folder[], id: string, position: number): Folder[] {
  const folder = folders.filter((each) => each.id === id);
  return folders.filter((each) => each.id !== id).toSpliced(position, 0, ...folder);
}

/** Deletes a folder without its chats, and offers to undo that. */
export function deleteFolder(folder: Folder): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const { id, name } = folder;
    const { folders } = getState().chats;
    const before = folders.findIndex((each) => each.id === id);
    const putBack = () => {
      const now = getState().chats.folders;
      if (now.some((each) => each.id === id)) return;
      dispatch(chatEvents.organise({ folders: now.toSpliced(before, 0, folder) }));
    };
    dispatch(chatEvents.organise({ folders: folders.filter((each) => each.id !== id) }));
    try {
      await api.delete(conversationPaths.folder(encodeURIComponent(id)));
    } catch (cause) {
      putBack();
      notifyFailure(cause);
      return;
    }
    const restore = async () => {
      try {
        await api.post(conversationPaths.folderRestore(encodeURIComponent(id)), {}, null);
        putBack();
        focusFolderAfterUndo(id);
        await dispatch(rereadFolder(id));
      } catch (cause) {
        notify("error", wordFailure(cause, i18n.t("organise:failure.undo")));
      }
    };
    offerUndo(i18n.t("organise:told.folderDeleted", { name }), () => void restore());
  };
}

/** Reads the history again: chats that were read while their folder was deleted lack its id. */
function rereadFolder(folder: string): ChatsThunk<Promise<void>> {
  return async (dispatch) => {
    const work = `folder:back:${folder}`;
    dispatch(chatEvents.setLoading({ work, isLoading: true }));
    // On failure the list may be stale; that is not worth an error.
    await dispatch(rereadHistory()).catch(() => {});
    dispatch(chatEvents.setLoading({ work, isLoading: false }));
  };
}

/** Opens or closes a folder in the list; the open folders of the account are stored in this browser. */
export function toggleFolder(account: string, id: string): ChatsThunk<void> {
  return (dispatch, getState) => {
    const { folders, openFolders } = getState().chats;
    const others = openFolders.filter((other) => other !== id && folders.some((folder) => folder.id === other));
    const next = openFolders.includes(id) ? others : [...others, id];
    dispatch(chatEvents.organise({ openFolders: next }));
    writeOpenFolders(account, next);
  };
}

/** Reads the first page of an opened folder, or its next page. */
export function loadFolder(id: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const work = `folder:${id}`;
    const { chats, folderPages, loading } = getState().chats;
    if (loading.includes(work)) return;
    const end = folderPages[id]?.end;
    const isBefore = (chat: { folderId?: string | undefined; updatedAt: number }) =>
      end !== undefined && chat.folderId === id && chat.updatedAt >= end;
    const last = chats.findLast(isBefore);
    const query = new URLSearchParams({ folder: id, limit: String(HISTORY_PAGE), ...(last && { before: last.id }) });
    dispatch(chatEvents.setLoading({ work, isLoading: true }));
    try {
      const read = await api.get(`${conversationPaths.chatHistory}?${query}`, chatHistorySchema);
      const now = getState().chats;
      const page = { end: read.at(-1)?.updatedAt ?? end ?? 0, hasMore: read.length >= HISTORY_PAGE };
      const ids = new Set(read.map((chat) => chat.id));
      dispatch(
        chatEvents.organise({
          chats: mergeChats(
            now.chats.filter((chat) => !ids.has(chat.id)),
            read,
          ),
          folderPages: { ...now.folderPages, [id]: page },
        }),
      );
    } catch (cause) {
      notify("error", wordFailure(cause, i18n.t("organise:failure.load")));
      const { folderPages: pages } = getState().chats;
      // Opening the folder again, or requesting more, retries.
      dispatch(chatEvents.organise({ folderPages: { ...pages, [id]: { end: end ?? Infinity, hasMore: true } } }));
    }
    dispatch(chatEvents.setLoading({ work, isLoading: false }));
  };
}
