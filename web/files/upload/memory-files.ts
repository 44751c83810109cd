import { fileKindOf } from "#contract/files/files.ts";
import { SECOND } from "#contract/limits.ts";
import { Emitter } from "../../store/emitter.ts";
import { addLocalFile, localFile, removeLocalFile } from "../local-files.ts";
import type { PictureSize, PreparedFile } from "../prepare/prepare-picture.ts";
import { FileFailure, failureOf } from "../upload-failure.ts";
import type { FileHolder } from "./file-holder.ts";
import { mayBePicture } from "./may-be-picture.ts";
import { Semaphore } from "./semaphore.ts";
import type { DraftFile, FileLimits } from "./upload-state.ts";

/** Time in which a removed file, or a discarded chat, can be restored: longer than the notification that offers it. */
const UNDO_MS = 15 * SECOND;

export type MemoryFilesDeps = {
  prepare: (file: PreparedFile) => Promise<PreparedFile>;
  /** Returns the size of a picture in pixels; null if the browser cannot decode it. */
  measure: (picture: Blob) => Promise<PictureSize | null>;
  limits: () => FileLimits | undefined;
  /** Whether a draft or a message has a file. */
  isReferenced: (id: string) => boolean;
  /** Calls `listener` when {@link isReferenced} may have changed. Returns the unsubscribe function. */
  subscribeReferences: (listener: () => void) => () => void;
  /** Called when the bytes of a file are freed. */
  onForget: (id: string) => void;
};

type Entry = { shown: DraftFile; removal?: ReturnType<typeof setTimeout> };

/**
 * Files of a temporary chat: of its drafts and of its messages. They are ready once they are in memory, and freed some
 * time after nothing has them any more.
 */
export class MemoryFiles implements FileHolder {
  readonly #deps: MemoryFilesDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #changes = new Emitter();
  readonly #preparing = new Semaphore(1);
  readonly #leaving = new AbortController();
  readonly #unfollow: () => void;

  constructor(deps: MemoryFilesDeps) {
    this.#deps = deps;
    this.#unfollow = deps.subscribeReferences(() => this.#checkReferences());
  }

  subscribe = this.#changes.subscribe;

  get(id: string): DraftFile | undefined {
    return this.#entries.get(id)?.shown;
  }

  add(id: string, file: File, name = file.name): void {
    const { type, size } = file;
    const shown: DraftFile = { id, name, type, size, state: "preparing", progress: 0, isLocal: true };
    this.#entries.set(id, { shown });
    this.#changes.notify();
    void this.#read(id, file).catch((cause: unknown) => this.#fail(id, cause));
  }

  /** Reads a file into memory: on the disk it could be changed or removed before it is sent again. */
  async #read(id: string, file: File): Promise<void> {
    const name = this.get(id)?.name ?? file.name;
    const read = await file.arrayBuffer().catch((cause: unknown) => {
      throw new FileFailure("file-gone", { cause });
    });
    const whole = { name, bytes: new Blob([read], { type: file.type }) };
    const { signal } = this.#leaving;
    const prepared = mayBePicture(file) ? await this.#preparing.run(signal, () => this.#deps.prepare(whole)) : whole;
    const { bytes } = prepared;
    const max = this.#deps.limits()?.maxBytes;
    if (max !== undefined && bytes.size > max) throw new FileFailure("file-too-large");
    const type = bytes.type || file.type;
    const isPicture = fileKindOf(type) === "picture";
    const measured = isPicture && (await this.#deps.measure(bytes));
    if (!this.#entries.has(id)) return;
    addLocalFile(id, bytes);
    const facts = { id, name: prepared.name, type, size: bytes.size, ...measured };
    const preview = isPicture && { preview: URL.createObjectURL(bytes) };
    this.#show(id, { ...preview, name: facts.name, type, size: facts.size, state: "ready", progress: 1, file: facts });
  }

  #fail(id: string, cause: unknown): void {
    if (!this.#leaving.signal.aborted) this.refuse(id, failureOf(cause).error);
  }

  refuse(id: string, code: string): void {
    this.#show(id, { state: "failed", error: code });
  }

  /** The files of a temporary chat are in this page only, which knows them. */
  restore(): void {}
  know(): void {}
  recheck(): void {}

  /** A file that was refused would be refused again. */
  retry(id: string): string {
    return id;
  }

  remove(): void {
    this.#checkReferences();
  }

  undoRemove(id: string): boolean {
    return this.#entries.has(id);
  }

  release(): void {
    this.#checkReferences();
  }

  /** Its bytes are sent again with the next question. */
  sent(): void {}

  pictureOf(id: string): Blob | null {
    const isPicture = fileKindOf(this.get(id)?.type ?? "") === "picture";
    return (isPicture && localFile(id)) || null;
  }

  async bytesOf(id: string): Promise<Blob | null> {
    return localFile(id) ?? null;
  }

  /** Frees the files that nothing has at once, without a time in which they can be restored. */
  forgetUnused(): void {
    for (const id of [...this.#entries.keys()]) if (!this.#deps.isReferenced(id)) this.#forget(id);
  }

  [Symbol.dispose](): void {
    this.#leaving.abort();
    this.#unfollow();
    for (const id of [...this.#entries.keys()]) this.#forget(id);
  }

  #checkReferences(): void {
    for (const [id, entry] of this.#entries) {
      const isReferenced = this.#deps.isReferenced(id);
      if (!isReferenced) entry.removal ??= setTimeout(() => this.#forget(id), UNDO_MS);
      else if (entry.removal !== undefined) {
        clearTimeout(entry.removal);
        delete entry.removal;
      }
    }
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    clearTimeout(entry.removal);
    this.#entries.delete(id);
    if (entry.shown.preview !== undefined) URL.revokeObjectURL(entry.shown.preview);
    removeLocalFile(id);
    this.#deps.onForget(id);
    this.#changes.notify();
  }

  #show(id: string, change: Partial<DraftFile>): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    entry.shown = { ...entry.shown, ...change };
    this.#changes.notify();
  }
}
