import { chatHistorySchema } from "#contract/chats.ts";
import { type Folder, folderSchema } from "#contract/folders.ts";
import { paths } from "#contract/paths.ts";
import { i18n } from "../../locales/organise-texts.ts";
import { notify } from "../../ui/notifications.ts";
import { mergeChats } from "../chat-changes.ts";
import { chatEvents } from "../chats-slice.ts";
import type { ChatsThunk } from "../chats-store.ts";
import { HISTORY_PAGE } from "../chats-thunks.ts";
import { wordFailure } from "../word-failure.ts";
import { changeChats, UNDO_MS } from "./change-chats.ts";

function tell(cause: unknown): void {
  notify("error", wordFailure(cause, i18n.t("organise:failure.folder")));
}

/** Makes a folder and moves chats into it. Resolves to whether it is there. */
export function createFolder(name: string, chats: readonly string[]): ChatsThunk<Promise<boolean>> {
  return async (dispatch, getState, { api }) => {
    let folder: Folder;
    try {
      folder = await api.post(paths.folders, { name }, folderSchema);
    } catch (cause) {
      tell(cause);
      return false;
    }
    const { folders, folderPages } = getState().chats;
    const others = folders.filter(({ id }) => id !== folder.id);
    // There is nothing in it that could be read.
    const pages = { ...folderPages, [folder.id]: { end: 0, hasMore: false } };
    dispatch(chatEvents.organise({ folders: [...others, folder], folderPages: pages }));
    if (chats.length > 0) await dispatch(changeChats(chats, { folderId: folder.id }));
    return true;
  };
}

/** Shown at once. */
export function renameFolder(id: string, name: string): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = getState().chats.folders;
    const folders = before.map((folder) => (folder.id === id ? { ...folder, name } : folder));
    dispatch(chatEvents.organise({ folders }));
    try {
      await api.patch(paths.folder(encodeURIComponent(id)), { name }, null);
    } catch (cause) {
      dispatch(chatEvents.organise({ folders: before }));
      tell(cause);
    }
  };
}

/** Deletes a folder, not its chats, and offers to undo that. */
export function deleteFolder({ id, name }: Folder): ChatsThunk<Promise<void>> {
  return async (dispatch, getState, { api }) => {
    const before = getState().chats.folders;
    dispatch(chatEvents.organise({ folders: before.filter((folder) => folder.id !== id) }));
    try {
      await api.delete(paths.folder(encodeURIComponent(id)));
    } catch (cause) {
      dispatch(chatEvents.organise({ folders: before }));
      tell(cause);
      return;
    }
    const restore = async () => {
      try {
        await api.post(paths.folderRestore(encodeURIComponent(id)), {}, null);
        const { folders } = getState().chats;
        if (!folders.some((folder) => folder.id === id)) {
          const at = before.findIndex((folder) => folder.id === id);
          dispatch(chatEvents.organise({ folders: folders.toSpliced(at, 0, { id, name }) }));
        }
      } catch (cause) {
        notify("error", wordFailure(cause, i18n.t("organise:failure.undo")));
      }
    };
    const action = { label: i18n.t("organise:told.undo"), run: () => void restore() };
    notify("info", i18n.t("organise:told.folderDeleted", { name }), { durationMs: UNDO_MS, action });
  };
}

/** Reads the chats of a folder that was opened, or its next page. */
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
      const read = await api.get(`${paths.chatHistory}?${query}`, chatHistorySchema);
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
      // Whoever opens it again, or asks for more, tries again.
      dispatch(chatEvents.organise({ folderPages: { ...pages, [id]: { end: end ?? Infinity, hasMore: true } } }));
    }
    dispatch(chatEvents.setLoading({ work, isLoading: false }));
  };
}
