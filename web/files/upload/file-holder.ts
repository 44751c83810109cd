import type { AttachedFile } from "#contract/files/files.ts";
import type { DraftFile } from "./upload-state.ts";

/** Files of drafts, wherever they go: to the server, or nowhere but into this page's memory. */
export interface FileHolder extends Disposable {
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the same object until the file changes. */
  get(id: string): DraftFile | undefined;
  /** Adds a chosen file. */
  add(id: string, file: File, name?: string): void;
  /** Takes up a file of a draft, which another page or tab has added. Does nothing if the file is known. */
  restore(file: AttachedFile): void;
  /** Takes up files of a message that is edited. */
  know(files: readonly AttachedFile[]): void;
  /** Tries a failed file again. @returns its id from now on */
  retry(id: string, newId: string): string;
  /** Removes a file, once the removal cannot be undone. */
  remove(id: string): void;
  /** @returns false if it is too late */
  undoRemove(id: string): boolean;
  /** Forgets a file that belongs to no draft any more. */
  release(id: string): void;
  /** Returns the bytes of a picture that this page has. */
  pictureOf(id: string): Blob | null;
  /** Returns the bytes of a file that this browser has. */
  bytesOf(id: string): Promise<Blob | null>;
  /** The server has accepted the files of a message. */
  sent(ids: readonly string[]): void;
  /** The server has refused the files of a message, because one is gone. */
  recheck(ids: readonly string[]): void;
  /** The server has refused a file of a message, with this error code. */
  refuse(id: string, code: string): void;
  /** Frees at once the files that are in this page only and that nothing has any more. */
  forgetUnused(): void;
}
