import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { FileStore } from "../../files/stores/file-store.ts";
import { digestIn } from "./attached-files.ts";
import type { AttachedEnd, AttachedPiece } from "./attached-lines.ts";

type Put = { bytes: PassThrough; stored: Promise<number> };

/** Puts the attached files of a backup into a store while it is read. Without a store it collects their keys only. */
export class AttachedIntake {
  /** Keys of the files that were read whole. */
  readonly keys = new Set<string>();
  readonly #store: FileStore | undefined;
  #put: Put | undefined;

  constructor(store: FileStore | undefined) {
    this.#store = store;
  }

  /** Passes a piece on, and waits until the store has room for more. @throws what the store throws */
  async add({ key, bytes: piece }: AttachedPiece): Promise<void> {
    if (!this.#store) return;
    const { bytes, stored } = this.#beginPut(this.#store, key);
    // A store that has failed reads no more.
    if (!bytes.write(piece)) await Promise.race([once(bytes, "drain"), stored]);
  }

  /** Completes a file, and compares what is stored. @throws Error if it differs; what the store throws */
  async end({ key, sha256 }: AttachedEnd): Promise<void> {
    if (this.#store) {
      const { bytes, stored } = this.#beginPut(this.#store, key);
      bytes.end();
      await stored;
      if ((await digestIn(this.#store, key)) !== sha256) throw new Error(`The attached file ${key} is stored wrongly`);
    }
    this.#put = undefined;
    this.keys.add(key);
  }

  /** Fails a put whose file is incomplete, so that the store removes what it has. */
  async abort(): Promise<void> {
    const put = this.#put;
    this.#put = undefined;
    put?.bytes.destroy(new Error("The backup was not read to its end"));
    await put?.stored.catch(() => undefined);
  }

  #beginPut(store: FileStore, key: string): Put {
    if (this.#put) return this.#put;
    const bytes = new PassThrough();
    // The store receives the error. If it has failed before, nothing does.
    bytes.on("error", () => undefined);
    const put = { bytes, stored: store.put(key, bytes) };
    // The next call awaits it.
    put.stored.catch(() => undefined);
    this.#put = put;
    return put;
  }
}
