import { type AttachedFile, fileKindOf } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { SECOND } from "#contract/limits.ts";
import type { Api } from "../../api/client.ts";
import type { Locks } from "../../api/events/tab-tools.ts";
import { keepTrying } from "../../api/keep-trying.ts";
import { Emitter } from "../../store/emitter.ts";
import type { PreparedFile } from "../prepare/prepare-picture.ts";
import { FileFailure, failureOf } from "../upload-failure.ts";
import type { FileHolder } from "./file-holder.ts";
import { FileUpload } from "./file-upload.ts";
import { mayBePicture } from "./may-be-picture.ts";
import { Semaphore } from "./semaphore.ts";
import { isExpired, type StoredFiles } from "./stored-files.ts";
import { type DraftFile, type DraftFileState, type FileLimits, isUnderWay } from "./upload-state.ts";
import type { ProgressTransport } from "./upload-transport.ts";

/** Time in which a removed file can be restored: longer than the notification that offers it. */
const UNDO_MS = 15 * SECOND;
const UPLOADS_AT_ONCE = 2;

/** `isReferenced`: whether a file belongs to any draft. `limits`: undefined while they are not known. */
export type AccountFilesDeps = {
  account: string;
  api: Pick<Api, "open" | "delete">;
  stored: StoredFiles;
  /** Null: several tabs may upload the same file. The server then stores it once, with more requests. */
  locks: Locks | null;
  prepare: (file: PreparedFile) => Promise<PreparedFile>;
  transport: ProgressTransport;
  isReferenced: (id: string) => boolean;
  limits: () => FileLimits | undefined;
};

type Entry = {
  /** What is shown. */
  shown: DraftFile;
  /** Null: not read from the storage yet, or no longer here. */
  bytes: Blob | null;
  /** Whether {@link bytes} are those to upload. */
  isPrepared: boolean;
  /** A message names the file: nothing of it is stored here, and it is not deleted on the server. */
  isSent: boolean;
  /** `new`: the server and the storage have nothing of it. `lost`: the server may have nothing of it any more. */
  origin: "new" | "restored" | "lost";
  /** Id under which the bytes were stored before. */
  copyOf?: string;
  /** Ends the work on the file; null if there is none. */
  work: AbortController | null;
  /** Set while the removal can be undone. */
  removal?: ReturnType<typeof setTimeout>;
};

/**
 * Files of all drafts of an account: prepares, stores and uploads them, whatever draft they belong to. A file is worked
 * on by one tab at a time (a Web Lock for each file).
 */
export class AccountFiles implements FileHolder {
  readonly #deps: AccountFilesDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new Emitter();
  readonly #preparing = new Semaphore(1);
  readonly #uploading = new Semaphore(UPLOADS_AT_ONCE);
  readonly #leaving = new AbortController();

  constructor(deps: AccountFilesDeps) {
    this.#deps = deps;
    void deps.stored.sweep((id) => this.#entries.has(id) || deps.isReferenced(id));
  }

  subscribe = this.#changes.subscribe;

  /** Returns the same object until the file changes. */
  get(id: string): DraftFile | undefined {
    return this.#entries.get(id)?.shown;
  }

  /** Adds a chosen file. */
  add(id: string, file: File, name = file.name): void {
    const { type, size } = file;
    const isPicture = mayBePicture(file);
    const shown: DraftFile = { id, name, type, size, state: isPicture ? "preparing" : "waiting", progress: 0 };
    const entry = this.#insert(shown, { bytes: file, isPrepared: !isPicture, origin: "new" });
    this.#store(entry, file);
    void this.#work(entry);
  }

  /** Takes up a file of a draft, which another page or tab has added. Does nothing if the file is known. */
  restore({ id, name, type, size }: AttachedFile): void {
    if (this.#entries.has(id)) return;
    const shown: DraftFile = { id, name, type, size, state: "waiting", progress: 0 };
    void this.#work(this.#insert(shown, { bytes: null, isPrepared: true, origin: "restored" }));
  }

  /** Takes up files of a message that is edited. */
  know(files: readonly AttachedFile[]): void {
    for (const file of files) {
      const { id, name, type, size } = file;
      if (this.#entries.has(id)) continue;
      const shown: DraftFile = { id, name, type, size, state: "ready", progress: 1, file };
      this.#insert(shown, { bytes: null, isPrepared: true, origin: "restored" }).isSent = true;
    }
  }

  /** Tries a failed file again. @returns its id from now on: a file that the server has removed gets a new one */
  retry(id: string, newId: string): string {
    const entry = this.#entries.get(id);
    if (entry?.shown.state !== "failed") return id;
    if (entry.shown.error !== "file-gone") {
      this.#show(entry, "waiting");
      void this.#work(entry);
      return id;
    }
    const { name, type, size } = entry.shown;
    const shown: DraftFile = { id: newId, name, type, size, state: "waiting", progress: 0 };
    const { bytes, isPrepared } = entry;
    // The former one is released when the draft names the new one.
    void this.#work(this.#insert(shown, { bytes, isPrepared, origin: "new", copyOf: id }));
    return newId;
  }

  /** Ends the upload of a file, and deletes the file on the server and here once the removal cannot be undone. */
  remove(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.work?.abort();
    entry.removal = setTimeout(() => this.#discard(entry), UNDO_MS);
  }

  /** @returns false if it is too late */
  undoRemove(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry?.removal === undefined) return false;
    clearTimeout(entry.removal);
    delete entry.removal;
    if (isUnderWay(entry.shown)) void this.#work(entry);
    return true;
  }

  /** Forgets a file that belongs to no draft any more, because another tab has sent or removed it. */
  release(id: string): void {
    const entry = this.#entries.get(id);
    if (entry && entry.removal === undefined && !this.#deps.isReferenced(id)) this.#forget(entry);
  }

  /** Returns the bytes of a picture that this page has. */
  pictureOf(id: string): Blob | null {
    const entry = this.#entries.get(id);
    return entry && fileKindOf(entry.shown.type) === "picture" ? entry.bytes : null;
  }

  async bytesOf(id: string): Promise<Blob | null> {
    return this.#entries.get(id)?.bytes ?? (await this.#deps.stored.read(id))?.bytes ?? null;
  }

  /** Forgets the files of a message that the server has accepted. */
  sent(ids: readonly string[]): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry) this.#forget(entry);
      void this.#deps.stored.remove(id);
    }
  }

  /** Asks the server for the files of a message that it has refused, because one is gone. */
  recheck(ids: readonly string[]): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (!entry || entry.work) continue;
      entry.origin = "lost";
      this.#show(entry, "waiting");
      void this.#work(entry);
    }
  }

  forgetUnused(): void {}

  refuse(id: string, code: string): void {
    const entry = this.#entries.get(id);
    if (entry) this.#show(entry, "failed", { error: code });
  }

  [Symbol.dispose](): void {
    this.#leaving.abort();
    for (const entry of [...this.#entries.values()]) this.#forget(entry);
    this.#deps.stored.close();
  }

  #insert(shown: DraftFile, facts: Pick<Entry, "bytes" | "isPrepared" | "origin" | "copyOf">): Entry {
    const entry: Entry = { shown: withPreview(shown, facts.bytes), isSent: false, work: null, ...facts };
    this.#entries.set(shown.id, entry);
    this.#changes.notify();
    return entry;
  }

  #forget(entry: Entry): void {
    entry.work?.abort();
    clearTimeout(entry.removal);
    if (entry.shown.preview !== undefined) URL.revokeObjectURL(entry.shown.preview);
    if (this.#entries.get(entry.shown.id) !== entry) return;
    this.#entries.delete(entry.shown.id);
    this.#changes.notify();
  }

  #discard(entry: Entry): void {
    const { api, stored } = this.#deps;
    const { id } = entry.shown;
    const { signal } = this.#leaving;
    this.#forget(entry);
    if (entry.isSent) return;
    void stored.remove(id);
    // After a failure the server removes the file when it sweeps unsent ones.
    keepTrying((attempt) => api.delete(filePaths.file(id), { signal: attempt }), { signal }).catch(() => {});
  }

  async #work(entry: Entry): Promise<void> {
    const work = new AbortController();
    const { signal } = work;
    entry.work = work;
    try {
      const file = await this.#alone(entry.shown.id, signal, () => this.#finish(entry, signal));
      signal.throwIfAborted();
      entry.origin = "restored";
      entry.shown = { ...entry.shown, name: file.name, type: file.type, size: file.size, file };
      this.#show(entry, "ready", { progress: 1 });
    } catch (cause) {
      if (!signal.aborted) this.#fail(entry, cause);
    } finally {
      if (entry.work === work) entry.work = null;
    }
  }

  #fail(entry: Entry, cause: unknown): void {
    const { error, canRetry } = failureOf(cause);
    this.#show(entry, "failed", { error, canRetry: canRetry || (error === "file-gone" && entry.bytes !== null) });
  }

  /** Runs `work` in one tab at a time. */
  async #alone<T>(id: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { locks, account } = this.#deps;
    return locks ? locks.request(`parley-file:${account}:${id}`, { signal }, work) : work();
  }

  /** Does what is left to do until the server has read the file. */
  async #finish(entry: Entry, signal: AbortSignal): Promise<AttachedFile> {
    const { stored } = this.#deps;
    const ready = entry.origin === "restored" || entry.copyOf !== undefined ? await this.#read(entry) : undefined;
    signal.throwIfAborted();
    if (ready) return ready;
    if (!entry.isPrepared) await this.#preparing.run(signal, () => this.#prepare(entry));
    const max = this.#deps.limits()?.maxBytes;
    if (max !== undefined && entry.bytes && entry.bytes.size > max) throw new FileFailure("file-too-large");
    this.#show(entry, "waiting");
    const file = await this.#uploading.run(signal, () => this.#upload(entry, signal));
    if (!entry.isSent) await stored.writeReady(entry.shown.id, file);
    return file;
  }

  /** Reads a file from the storage. @returns the file if the server has read it and still has it */
  async #read(entry: Entry): Promise<AttachedFile | undefined> {
    const { stored } = this.#deps;
    const { id } = entry.shown;
    const found = await stored.read(entry.copyOf ?? id);
    if (found) this.#take(entry, { name: found.record.name, bytes: found.bytes }, found.record.isPrepared);
    if (entry.copyOf === undefined) return found && !isExpired(found.record) ? found.record.file : undefined;
    if (entry.bytes) this.#store(entry, entry.bytes);
    void stored.remove(entry.copyOf);
    delete entry.copyOf;
    return undefined;
  }

  async #prepare(entry: Entry): Promise<void> {
    if (!entry.bytes || entry.isPrepared) return;
    this.#show(entry, "preparing");
    const prepared = await this.#deps.prepare({ name: entry.shown.name, bytes: entry.bytes });
    // The file may have been removed meanwhile.
    if (this.#entries.get(entry.shown.id) !== entry) return;
    this.#take(entry, prepared, true);
    this.#store(entry, prepared.bytes);
  }

  #take(entry: Entry, { name, bytes }: PreparedFile, isPrepared: boolean): void {
    const { preview, ...shown } = entry.shown;
    if (preview !== undefined) URL.revokeObjectURL(preview);
    entry.bytes = bytes;
    entry.isPrepared = isPrepared;
    const { size, type } = bytes;
    entry.shown = withPreview({ ...shown, name, size, type: type || shown.type }, bytes);
    this.#changes.notify();
  }

  /** Not awaited: an upload does not depend on the storage. */
  #store({ shown, isPrepared }: Entry, bytes: Blob): void {
    const record = { name: shown.name, isPrepared, createdAt: Date.now() };
    void this.#deps.stored.write(shown.id, record, bytes);
  }

  #upload(entry: Entry, signal: AbortSignal): Promise<AttachedFile> {
    const { api, transport } = this.#deps;
    const { id, name } = entry.shown;
    const bytes = entry.origin === "lost" ? null : entry.bytes;
    const isFresh = entry.origin === "new";
    // From the first request on the server may have some of it.
    if (isFresh) entry.origin = "restored";
    const onSent = (sent: number) => {
      const progress = bytes && bytes.size > 0 ? Math.min(1, sent / bytes.size) : 1;
      this.#show(entry, progress < 1 ? "uploading" : "reading", { progress });
    };
    const onWait = () => {
      const { progress } = entry.shown;
      this.#show(entry, "waiting", { progress, ...(!navigator.onLine && { error: "offline" }) });
    };
    return new FileUpload({ id, name, bytes }, { api, transport, signal, onSent, onWait }, isFresh).run();
  }

  #show(entry: Entry, state: DraftFileState, more: Pick<Partial<DraftFile>, "progress" | "error" | "canRetry"> = {}) {
    const { error: _error, canRetry: _canRetry, ...shown } = entry.shown;
    entry.shown = { ...shown, state, progress: 0, ...more };
    this.#changes.notify();
  }
}

function withPreview(shown: DraftFile, bytes: Blob | null): DraftFile {
  if (!bytes || fileKindOf(bytes.type) !== "picture") return shown;
  return { ...shown, preview: URL.createObjectURL(bytes) };
}
