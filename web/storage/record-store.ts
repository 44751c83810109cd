/** Asynchronous store of values by key, for values that are too large for local storage. Every method may reject. */
export type RecordStore = {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  keys(): Promise<string[]>;
  /** Closes the store. It is not opened again. */
  close(): void;
};

/** Store in memory, for browsers without IndexedDB and for tests. */
export class MemoryRecords implements RecordStore {
  readonly #records = new Map<string, unknown>();

  async get(key: string): Promise<unknown> {
    return this.#records.get(key);
  }

  async put(key: string, value: unknown): Promise<void> {
    this.#records.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.#records.delete(key);
  }

  async keys(): Promise<string[]> {
    return [...this.#records.keys()];
  }

  close(): void {}
}
