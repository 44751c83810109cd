import type { RecordStore } from "./record-store.ts";

const STORE = "records";

/**
 * Values in an IndexedDB database of their own. Written here, because four calls are in use: the smallest library
 * (`idb-keyval`) does not close its database when another tab deletes it, so that a logout would wait for all tabs.
 */
export class IndexedRecords implements RecordStore {
  readonly #name: string;
  #opening: Promise<IDBDatabase> | undefined;
  #isClosed = false;

  constructor(name: string) {
    this.#name = name;
  }

  get(key: string): Promise<unknown> {
    return this.#run("readonly", (records) => records.get(key));
  }

  async put(key: string, value: unknown): Promise<void> {
    await this.#run("readwrite", (records) => records.put(value, key));
  }

  async delete(key: string): Promise<void> {
    await this.#run("readwrite", (records) => records.delete(key));
  }

  async keys(): Promise<string[]> {
    const keys = await this.#run("readonly", (records) => records.getAllKeys());
    return keys.filter((key) => typeof key === "string");
  }

  close(): void {
    this.#isClosed = true;
    this.#opening?.then((database) => database.close()).catch(() => {});
  }

  /** Resolves with the result of a request once its transaction is complete. */
  async #run<T>(mode: IDBTransactionMode, ask: (records: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const database = await this.#open();
    const transaction = database.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    const done = Promise.withResolvers<T>();
    transaction.addEventListener("complete", () => done.resolve(request.result));
    // A full disk aborts the transaction without an error of the request.
    transaction.addEventListener("abort", () => done.reject(transaction.error ?? request.error));
    return done.promise;
  }

  async #open(): Promise<IDBDatabase> {
    if (this.#isClosed) throw new Error("The database is closed");
    this.#opening ??= openDatabase(this.#name).then((database) => {
      // Another tab deletes the database, because the account was logged out.
      database.addEventListener("versionchange", () => this.close());
      return database;
    });
    return this.#opening;
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  const opening = Promise.withResolvers<IDBDatabase>();
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
  request.addEventListener("success", () => opening.resolve(request.result));
  request.addEventListener("error", () => opening.reject(request.error));
  return opening.promise;
}
