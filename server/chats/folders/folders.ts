import type { FolderChange } from "#contract/conversation/folder-calls.ts";
import type { Folder } from "#contract/conversation/folders.ts";
import { FOLDERS_MAX, UNDO_LIFE_MS } from "#contract/limits.ts";
import { type Bus, topics } from "../../bus/bus.ts";
import type { Clock } from "../../concurrency/clock.ts";
import { newId } from "../../database/new-id.ts";
import { nextPosition, positionsAfter } from "../../database/positions.ts";
import type { Database, FolderRow, Queryable } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { markFoldersChanged } from "../change-store.ts";
import {
  countChatsInFolders,
  hasChats,
  insertFolder,
  listFolders,
  markFolderDeleted,
  toFolder,
  unmarkFolderDeleted,
  updateFolder,
} from "./folder-store.ts";

type Deps = { database: Database; clock: Clock; bus: Bus };

/** Folders of an account's chats. */
export class Folders {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Lists the folders in their order, with the numbers of their chats. */
  async list(userId: string): Promise<Folder[]> {
    const { database } = this.#deps;
    const folders = (await listFolders(database, userId)).map(toFolder);
    if (folders.length === 0) return folders;
    const counts = await countChatsInFolders(database, userId);
    return folders.map((folder) => {
      const chats = counts.get(folder.id);
      return chats === undefined ? folder : { ...folder, chats };
    });
  }

  /** Creates a folder after the others. @throws Failure `too-many-folders` */
  async create(userId: string, name: string): Promise<Folder> {
    return this.#change(userId, async (db, folders) => {
      refuseTooMany(folders);
      const folder: FolderRow = {
        id: newId(),
        user_id: userId,
        name,
        position: nextPosition(folders),
        created_at: this.#deps.clock.now(),
        deleted_at: null,
      };
      await insertFolder(db, folder);
      return toFolder(folder);
    });
  }

  /** Renames or moves a folder. @throws Failure `not-found` */
  async change(userId: string, folderId: string, { name, position }: FolderChange): Promise<void> {
    await this.#change(userId, async (db, folders) => {
      const folder = folders.find(({ id }) => id === folderId);
      if (!folder) throw new Failure("not-found");
      if (name !== undefined) await updateFolder(db, userId, folderId, { name });
      if (position === undefined) return;
      for (const { id, position: own } of positionsAfter(folders, folder, position)) {
        await updateFolder(db, userId, id, { position: own });
      }
    });
  }

  /**
   * Deletes a folder. Its chats are in no folder until {@link restore}. @throws Failure `not-found`, with `isEmpty` also
   * for a folder that has chats
   */
  async delete(userId: string, folderId: string, isEmpty = false): Promise<void> {
    await this.#change(userId, async (db) => {
      if (isEmpty && (await hasChats(db, userId, folderId))) throw new Failure("not-found");
      if (!(await markFolderDeleted(db, userId, folderId, this.#deps.clock.now()))) throw new Failure("not-found");
    });
  }

  /** Undoes a deletion. @throws Failure `not-found` if it is too late; `too-many-folders` */
  async restore(userId: string, folderId: string): Promise<void> {
    await this.#change(userId, async (db, folders) => {
      // Idempotent: a repeated request succeeds too.
      if (folders.some(({ id }) => id === folderId)) return;
      const since = this.#deps.clock.now() - UNDO_LIFE_MS;
      if (!(await unmarkFolderDeleted(db, userId, folderId, since))) throw new Failure("not-found");
      refuseTooMany(folders);
    });
  }

  /** Locks the account's row, so that changes of its folders are serialised. */
  async #change<T>(userId: string, change: (db: Queryable, folders: FolderRow[]) => Promise<T>): Promise<T> {
    const { database, bus } = this.#deps;
    const changed = await database.transaction().execute(async (db) => {
      await markFoldersChanged(db, userId);
      return change(db, await listFolders(db, userId));
    });
    bus.publish(topics.account(userId));
    return changed;
  }
}

function refuseTooMany(folders: readonly FolderRow[]): void {
  if (folders.length >= FOLDERS_MAX) throw new Failure("too-many-folders");
}
