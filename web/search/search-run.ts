import { conversationPaths } from "#contract/conversation/paths.ts";
import type { SearchHit } from "#contract/conversation/search.ts";
import { searchResultSchema } from "#contract/conversation/search.ts";
import { api } from "../api/client.ts";
import { Store } from "../store/store.ts";

/** Filters of a search; empty texts do not filter. Dates as in a date field, both inclusive. */
export type SearchFilters = { folder: string; role: string; model: string; from: string; to: string };

export const noFilters: SearchFilters = { folder: "", role: "", model: "", from: "", to: "" };

/** A search request: the text of the field, and the filters. */
export type SearchQuestion = { query: string; filters: SearchFilters };

export type SearchState = {
  /** The query of {@link hits}. */
  query: string;
  hits: SearchHit[];
  /** Cursor of the next page; null after the last page. */
  next: string | null;
  isLoading: boolean;
  error: unknown;
};

/** Debounce: shorter than a pause in typing, long enough not to search for each letter. */
const PAUSE_MS = 120;

const nothing: SearchState = { query: "", hits: [], next: null, isLoading: false, error: null };

/**
 * Runs the searches of a text field, one at a time. A response to an earlier query never replaces that of a later one.
 */
export class SearchRun {
  readonly state = new Store(nothing);
  #asked: SearchQuestion;
  /** The request that the hits belong to. */
  #answered: SearchQuestion | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: AbortController | null = null;

  /** `query`: searched for when {@link resume} is called. */
  constructor(query = "") {
    this.#asked = { query, filters: noFilters };
    if (query.trim() !== "") this.state.set({ ...nothing, isLoading: true });
  }

  get asked(): SearchQuestion {
    return this.#asked;
  }

  /** Searches after a debounce. The former hits stay until then. */
  readonly ask = (query: string, filters: SearchFilters): void => {
    this.stop();
    this.#asked = { query, filters };
    if (query.trim() === "") {
      this.#answered = null;
      this.state.set(nothing);
      return;
    }
    this.state.set({ ...this.state.get(), isLoading: true, error: null });
    this.#timer = setTimeout(() => void this.#read(null), PAUSE_MS);
  };

  readonly showMore = (): Promise<void> => this.#read(this.state.get().next);

  /** Retries after a failure. */
  readonly again = (): Promise<void> => this.#read(this.#answered === this.#asked ? this.state.get().next : null);

  /** Continues after `stop`; the hits received by then stay. */
  readonly resume = (): void => {
    if (this.state.get().isLoading) void this.again();
  };

  readonly stop = (): void => {
    clearTimeout(this.#timer);
    this.#reading?.abort();
  };

  async #read(before: string | null): Promise<void> {
    this.stop();
    const own = new AbortController();
    this.#reading = own;
    this.state.set({ ...this.state.get(), isLoading: true, error: null });
    const asked = this.#asked;
    const query = asked.query.trim();
    try {
      let hits: SearchHit[] = [];
      let next = before;
      // A page may be empty although more follow: the server scans a limited amount for each page.
      do {
        const path = `${conversationPaths.search}?${parametersOf(query, asked.filters, next)}`;
        ({ hits, next } = await api.get(path, searchResultSchema, { signal: own.signal }));
        if (own.signal.aborted) return;
      } while (hits.length === 0 && next !== null);
      const all = before === null ? hits : [...this.state.get().hits, ...hits];
      this.#answered = asked;
      this.state.set({ query, hits: all, next, isLoading: false, error: null });
    } catch (error) {
      if (!own.signal.aborted) this.state.set({ ...this.state.get(), isLoading: false, error });
    }
  }
}

function parametersOf(q: string, { from, to, ...rest }: SearchFilters, before: string | null): URLSearchParams {
  const parameters = new URLSearchParams({ q });
  for (const [name, value] of Object.entries(rest)) if (value !== "") parameters.set(name, value);
  if (from !== "") parameters.set("from", String(startOf(from, 0)));
  if (to !== "") parameters.set("to", String(startOf(to, 1) - 1));
  if (before !== null) parameters.set("before", before);
  return parameters;
}

/** Returns the start of a day in the local time zone, or of a later day; Unix time in ms. */
function startOf(date: string, daysLater: number): number {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return Math.max(0, new Date(year, month - 1, day + daysLater).getTime());
}
