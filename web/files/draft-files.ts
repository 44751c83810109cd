import type { AttachedFile } from "#contract/files/files.ts";
import { cleanFileName } from "#contract/text/file-name.ts";
import { type ReadableStore, Store } from "../store/store.ts";
import { isUnknownKind } from "./attach/is-unknown-kind.ts";
import type { FileHolder } from "./upload/file-holder.ts";
import { newFileId } from "./upload/file-id.ts";
import { type AddProblem, type DraftFile, type FileLimits, isUnderWay } from "./upload/upload-state.ts";

export type { AddProblem, DraftFile } from "./upload/upload-state.ts";

/** A file as a draft stores it. `isPasted`: it was made of a long pasted text, so that its words are nowhere else. */
export type DraftedFile = AttachedFile & { isPasted?: boolean | undefined };

/** The draft with one key, which stores what is known of its files. */
export type FileDraft = {
  get: () => readonly DraftedFile[];
  set: (files: readonly DraftedFile[]) => void;
  subscribe: (listener: () => void) => () => void;
};

export type DraftFilesDeps = {
  draft: FileDraft;
  uploads: FileHolder;
  /** Adds words to the text of the draft. */
  addText?: (words: string) => void;
  /** Undefined: files cannot be attached. */
  limits: () => FileLimits | undefined;
};

/** The files of one draft. The draft has their order, the account's uploads have their states. */
export class DraftFiles implements Disposable {
  readonly #deps: DraftFilesDeps;
  readonly #files = new Store<readonly DraftFile[]>([]);
  readonly #ends: (() => void)[];
  #ids: readonly string[] = [];
  /** Pasted texts whose words are being returned to the draft. */
  readonly #returning = new Set<string>();
  /** Removed files, and the position of each. */
  readonly #removed = new Map<string, { file: DraftedFile; at: number }>();

  /** The files, in the order in which they are sent. */
  readonly files: ReadableStore<readonly DraftFile[]> = this.#files;

  constructor(deps: DraftFilesDeps) {
    this.#deps = deps;
    this.#ends = [deps.draft.subscribe(() => this.#follow()), deps.uploads.subscribe(() => this.#refresh())];
    this.#follow();
  }

  /**
   * Adds files to the draft, and begins to upload them. Resolves with the files that were refused at once. `isPasted`: they
   * are made of pasted text.
   */
  async add(files: readonly File[], isPasted = false): Promise<AddProblem[]> {
    const { draft, uploads, limits } = this.#deps;
    const codes = await Promise.all(files.map((file) => problemOf(file, limits())));
    const known = draft.get();
    const added: DraftedFile[] = [];
    const problems: AddProblem[] = [];
    for (const [index, file] of files.entries()) {
      const { type, size } = file;
      // As the server cleans it, so that no name is shown that it would not be.
      const name = cleanFileName(file.name);
      const isFull = known.length + added.length >= (limits()?.maxPerMessage ?? 0);
      const code = codes[index] ?? (isFull ? "too-many-files" : undefined);
      if (code) {
        problems.push({ name, code });
        continue;
      }
      const id = newFileId();
      uploads.add(id, file, name);
      added.push({ id, name, type, size, ...(isPasted && { isPasted }) });
    }
    if (added.length > 0) draft.set([...known, ...added]);
    return problems;
  }

  /**
   * Removes a file from the draft. Its upload ends; it is deleted when the removal cannot be undone any more. The words of
   * a pasted text that has failed return to the draft first, unless they are elsewhere (`hasCopy`).
   */
  remove(id: string, hasCopy = false): void {
    if (hasCopy || !this.#isPasted(id) || this.#deps.uploads.get(id)?.state !== "failed") this.#remove(id);
    else if (!this.#returning.has(id)) void this.#returnText(id);
  }

  async #returnText(id: string): Promise<void> {
    const { uploads, addText } = this.#deps;
    this.#returning.add(id);
    const bytes = await uploads.bytesOf(id).catch(() => null);
    const words = await bytes?.text().catch(() => "");
    if (words && this.#ids.includes(id)) addText?.(words);
    this.#remove(id);
    this.#returning.delete(id);
  }

  #remove(id: string): void {
    const { draft, uploads } = this.#deps;
    const files = draft.get();
    const at = files.findIndex((file) => file.id === id);
    const file = files[at];
    if (!file) return;
    this.#removed.set(id, { file, at });
    uploads.remove(id);
    draft.set(files.filter((other) => other !== file));
  }

  /** Puts a removed file back to its position. Returns false if it is too late. */
  undoRemove(id: string): boolean {
    const { draft, uploads } = this.#deps;
    const removed = this.#removed.get(id);
    this.#removed.delete(id);
    if (!removed || !uploads.undoRemove(id)) return false;
    draft.set(draft.get().toSpliced(removed.at, 0, removed.file));
    return true;
  }

  /** Tries a failed file again. */
  retry(id: string): void {
    const { draft, uploads } = this.#deps;
    const now = uploads.retry(id, newFileId());
    if (now !== id) draft.set(draft.get().map((file) => (file.id === id ? { ...file, id: now } : file)));
  }

  /**
   * Resolves with the ids of the files once none is under way; with null as soon as one has failed. Rejects with the
   * signal's reason.
   */
  settled(signal?: AbortSignal): Promise<string[] | null> {
    const { promise, resolve, reject } = Promise.withResolvers<string[] | null>();
    const check = () => {
      const files = this.#files.get();
      if (files.some(({ state }) => state === "failed")) resolve(null);
      else if (!files.some(isUnderWay)) resolve(files.map(({ id }) => id));
    };
    const leave = () => reject(signal?.reason);
    if (signal?.aborted) leave();
    signal?.addEventListener("abort", leave);
    const unsubscribe = this.#files.subscribe(check);
    check();
    return promise.finally(() => {
      unsubscribe();
      signal?.removeEventListener("abort", leave);
    });
  }

  /** Returns the files as the server has read them, without those that are not ready. */
  ready(): DraftedFile[] {
    return this.#files.get().flatMap(({ id, file }) => (file ? { ...file, isPasted: this.#isPasted(id) } : []));
  }

  #isPasted(id: string): true | undefined {
    return this.#deps.draft.get().some((file) => file.id === id && file.isPasted) || undefined;
  }

  [Symbol.dispose](): void {
    for (const end of this.#ends) end();
  }

  /** Takes up the files that the draft has now, and gives up those that it had. */
  #follow(): void {
    const { draft, uploads } = this.#deps;
    const files = draft.get();
    const ids = files.map(({ id }) => id);
    const before = this.#ids;
    if (ids.join() === before.join()) return;
    this.#ids = ids;
    for (const file of files) uploads.restore(file);
    for (const id of before) if (!ids.includes(id)) uploads.release(id);
    this.#refresh();
  }

  #refresh(): void {
    const before = this.#files.get();
    const now = this.#ids.flatMap((id) => this.#deps.uploads.get(id) ?? []);
    const isSame = now.length === before.length && now.every((file, at) => file === before[at]);
    if (!isSame) this.#files.set(now);
  }
}

/** Pictures are scaled before they are measured, unless they are too large for that. */
const PICTURE_MAX_BYTES = 100_000_000;

/** Returns why a file can never be sent. */
async function problemOf(file: File, limits: FileLimits | undefined): Promise<AddProblem["code"] | undefined> {
  if (!limits) return "files-off";
  if (file.size === 0) return "file-empty";
  const isPicture = file.type.startsWith("image/") || /\.hei[cf]$/i.test(file.name);
  const max = isPicture ? Math.max(limits.maxBytes, PICTURE_MAX_BYTES) : limits.maxBytes;
  if (file.size > max) return "file-too-large";
  return (await isUnknownKind(file)) ? "file-type" : undefined;
}
