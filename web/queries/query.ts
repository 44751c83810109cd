import { currentSession, subscribeSession } from "../accounts/session/session.ts";
import { onReturn } from "../api/on-return.ts";
import { Store } from "../store/store.ts";

export type QueryState<T> = {
  /** Null until it has been read. */
  readonly value: T | null;
  /** The cause of a failed read; null if there is a value, even an older one. */
  readonly error: unknown;
};

/**
 * Cached server response. While it has observers, it is read again whenever the network is restored or the person
 * returns to the page; the last value stays until the next one is read.
 */
export class Query<T> {
  readonly state = new Store<QueryState<T>>({ value: null, error: null });
  readonly #read: (signal: AbortSignal) => Promise<T>;
  #observers = 0;
  #stopFollowing = () => {};
  #reading: { abort: () => void; ended: Promise<void> } | null = null;

  /** @param read fetches the value; rejects on failure */
  constructor(read: (signal: AbortSignal) => Promise<T>) {
    this.#read = read;
  }

  /** Reads the value, or joins a read in progress. Returns the function that ends the observation. */
  readonly observe = (): (() => void) => {
    if (this.#observers++ === 0) this.#stopFollowing = onReturn(() => void this.reload());
    void this.load();
    return () => {
      if (--this.#observers > 0) return;
      this.#stopFollowing();
      this.#abort();
    };
  };

  /** Reads the value, or joins a read in progress. Never rejects. */
  readonly load = (): Promise<void> => this.#reading?.ended ?? this.reload();

  /** Reads the value, and aborts a read that began before: its result may be stale. Never rejects. */
  readonly reload = (): Promise<void> => {
    this.#abort();
    const abort = new AbortController();
    const ended = this.#run(abort.signal);
    this.#reading = { abort: () => abort.abort(), ended };
    return ended;
  };

  /** Replaces the value by the result of an action; aborts a read in progress. */
  readonly change = (value: T): void => {
    this.#abort();
    this.state.set({ value, error: null });
  };

  /** Removes the value. */
  clear(): void {
    this.#abort();
    this.state.set({ value: null, error: null });
  }

  #abort(): void {
    this.#reading?.abort();
    this.#reading = null;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let next: QueryState<T>;
    try {
      next = { value: await this.#read(signal), error: null };
    } catch (error) {
      const { value } = this.state.get();
      next = { value, error: value === null ? error : null };
    }
    if (signal.aborted) return;
    this.#reading = null;
    this.state.set(next);
  }
}

const accountQueries: { clear: () => void }[] = [];
let account = currentSession().user?.id;

subscribeSession(() => {
  const before = account;
  account = currentSession().user?.id;
  if (account !== before) for (const query of accountQueries) query.clear();
});

/** Creates a query of the signed-in account: observers share its value, which is cleared when the account changes. */
export function accountQuery<T>(read: (signal: AbortSignal) => Promise<T>): Query<T> {
  const query = new Query(read);
  accountQueries.push(query);
  return query;
}
