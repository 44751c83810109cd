import { paths } from "#contract/paths.ts";
import type { SearchHit } from "#contract/search.ts";
import { searchResultSchema } from "#contract/search.ts";
import { api } from "../api/client.ts";
import { Store } from "../store/store.ts";

/** What else a hit must be like; empty texts ask nothing. Dates as a date field gives them, both included. */
export type SearchFilters = { folder: string; role: string; model: string; from: string; to: string };

export const noFilters: SearchFilters = { folder: "", role: "", model: "", from: "", to: "" };

/** What is looked for: the words as they stand in the field, and what else. */
export type SearchQuestion = { query: string; filters: SearchFilters };

export type SearchState = {
  /** What {@link hits} were found for. */
  query: string;
  hits: SearchHit[];
  /** Where more of them begin; null where there are no more. */
  next: string | null;
  isLoading: boolean;
  error: unknown;
};

/** Shorter than anybody types on, long enough not to search for each letter. */
const PAUSE_MS = 120;

const nothing: SearchState = { query: "", hits: [], next: null, isLoading: false, error: null };

/** A search as somebody types: one question at a time, the answer to an earlier one never takes the place of a later. */
export class SearchRun {
  readonly state = new Store(nothing);
  #asked: SearchQuestion;
  /** What the hits are for. */
  #answered: SearchQuestion | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: AbortController | null = null;

  /** `query`: asked as soon as {@link resume} is called. */
  constructor(query = "") {
    this.#asked = { query, filters: noFilters };
    if (query.trim() !== "") this.state.set({ ...nothing, isLoading: true });
  }

  get asked(): SearchQuestion {
    return this.#asked;
  }

  /** Asks after a moment in which nothing else is asked. What was found before stays until then. */
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

  /** The same again, where it failed. */
  readonly again = (): Promise<void> => this.#read(this.#answered === this.#asked ? this.state.get().next : null);

  /** Goes on where it was stopped; what was found by then stays. */
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
      // A page may be empty though more follow: the server looks at so much for each.
      do {
        const path = `${paths.search}?${parametersOf(query, asked.filters, next)}`;
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

/** When a day begins where the person is, or one so many days later; ms since 1970. */
function startOf(date: string, daysLater: number): number {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return Math.max(0, new Date(year, month - 1, day + daysLater).getTime());
}
