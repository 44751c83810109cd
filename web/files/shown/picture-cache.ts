import { ApiError } from "../../api/client.ts";
import { type ReadableStore, Store } from "../../store/store.ts";
import { Semaphore } from "../upload/semaphore.ts";

/** `url`: a blob URL, valid while the picture is held. `isGone`: the server has no such file any more. */
export type PictureState =
  | { kind: "loading" }
  | { kind: "loaded"; url: string; blob: Blob }
  | { kind: "failed"; isGone: boolean };

/** Limits of {@link PictureCache}. `idleBytes`: of pictures that nothing shows. */
type Limits = { idleBytes: number; concurrentLoads: number };

type Entry = {
  state: Store<PictureState>;
  /** Number of components that show or want the picture. */
  holders: number;
  abort: AbortController | null;
};

const LOADING: PictureState = { kind: "loading" };
const MB = 1_000_000;
/** Browsers open six connections to a server over HTTP/1.1, of which streams take some. */
const DEFAULT_LIMITS: Limits = { idleBytes: 64 * MB, concurrentLoads: 2 };

/**
 * Bytes of pictures by file id, as blob URLs. A picture that is held is loaded and never evicted. Others are evicted,
 * the least recently used first, once they exceed a limit; their URLs are revoked.
 */
export class PictureCache {
  readonly #read: (id: string, signal: AbortSignal) => Promise<Blob>;
  readonly #idleBytes: number;
  /** In the order of the last use. */
  readonly #entries = new Map<string, Entry>();
  readonly #loads: Semaphore;

  constructor(read: (id: string, signal: AbortSignal) => Promise<Blob>, limits = DEFAULT_LIMITS) {
    this.#read = read;
    this.#idleBytes = limits.idleBytes;
    this.#loads = new Semaphore(limits.concurrentLoads);
  }

  /** Returns the state of a picture, the same store while the picture is in the cache. Does not load it. */
  state(id: string): ReadableStore<PictureState> {
    return this.#entry(id).state;
  }

  /** Loads a picture, and keeps it until the returned function is called. */
  hold(id: string): () => void {
    const entry = this.#touch(id);
    entry.holders += 1;
    if (entry.state.get().kind === "loading") void this.#load(id, entry);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      entry.holders -= 1;
      if (entry.holders === 0) this.#leave(id, entry);
    };
  }

  /** Adds a picture whose bytes are known, such as one that was just uploaded. */
  add(id: string, blob: Blob): void {
    const entry = this.#touch(id);
    if (entry.state.get().kind === "loaded") return;
    entry.abort?.abort();
    entry.state.set({ kind: "loaded", url: URL.createObjectURL(blob), blob });
    this.#evict();
  }

  /** Loads a picture again that could not be loaded. */
  retry(id: string): void {
    const entry = this.#entry(id);
    if (entry.state.get().kind !== "failed") return;
    entry.state.set(LOADING);
    if (entry.holders > 0) void this.#load(id, entry);
  }

  /** Loads the held pictures again that could not be loaded, except those that are gone. */
  retryAll(): void {
    for (const [id, { state, holders }] of [...this.#entries]) {
      const now = state.get();
      if (holders > 0 && now.kind === "failed" && !now.isGone) this.retry(id);
    }
  }

  /** Removes a picture that nothing shows, and revokes its URL. */
  forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry?.holders === 0) this.#remove(id, entry);
  }

  /** Removes all pictures, also held ones. */
  clear(): void {
    for (const [id, entry] of [...this.#entries]) this.#remove(id, entry);
  }

  #entry(id: string): Entry {
    const known = this.#entries.get(id);
    if (known) return known;
    const entry = { state: new Store<PictureState>(LOADING), holders: 0, abort: null };
    this.#entries.set(id, entry);
    return entry;
  }

  #touch(id: string): Entry {
    const entry = this.#entry(id);
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry;
  }

  async #load(id: string, entry: Entry): Promise<void> {
    if (entry.abort) return;
    const abort = new AbortController();
    const { signal } = abort;
    entry.abort = abort;
    let state: PictureState;
    try {
      const blob = await this.#loads.run(signal, () => this.#read(id, signal));
      state = { kind: "loaded", url: signal.aborted ? "" : URL.createObjectURL(blob), blob };
    } catch (cause) {
      state = { kind: "failed", isGone: cause instanceof ApiError && cause.status === 404 };
    }
    entry.abort = null;
    if (!signal.aborted) {
      entry.state.set(state);
      this.#evict();
    } else if (entry.holders > 0 && entry.state.get().kind === "loading") void this.#load(id, entry);
  }

  /** The last holder has left: a load that nothing waits for is ended. */
  #leave(id: string, entry: Entry): void {
    entry.abort?.abort();
    if (entry.state.get().kind !== "loaded") {
      // A later holder begins anew, also after a failure.
      if (entry.abort === null) this.#entries.delete(id);
      entry.state.set(LOADING);
    }
    this.#evict();
  }

  #evict(): void {
    const idle = [...this.#entries].filter(([, { holders, state }]) => holders === 0 && state.get().kind === "loaded");
    let bytes = idle.reduce((sum, [, entry]) => sum + sizeOf(entry), 0);
    for (const [id, entry] of idle) {
      if (bytes <= this.#idleBytes) return;
      bytes -= sizeOf(entry);
      this.#remove(id, entry);
    }
  }

  #remove(id: string, entry: Entry): void {
    entry.abort?.abort();
    const state = entry.state.get();
    if (state.kind === "loaded") URL.revokeObjectURL(state.url);
    this.#entries.delete(id);
    entry.state.set(LOADING);
  }
}

function sizeOf({ state }: Entry): number {
  const now = state.get();
  return now.kind === "loaded" ? now.blob.size : 0;
}
