import { useCallback, useEffect, useState } from "react";
import { type RunningAction, useAction } from "../forms/use-action.ts";

/** Delay of a read (ms) while a filter is typed. */
export const DEBOUNCE_MS = 250;

/** `next`: what the next page is asked with; absent after the last one. */
export type ListPage<Item, Extra> = { items: readonly Item[]; next?: string | undefined; extra: Extra };
/** Must have a stable identity for the same filter. */
export type ReadPage<Item, Extra> = (next: string | undefined, signal: AbortSignal) => Promise<ListPage<Item, Extra>>;

type State<Item, Extra> = { read: ReadPage<Item, Extra>; page: ListPage<Item, Extra> | null; error: unknown };

export type Pages<Item, Extra> = {
  /** All items read so far, with the rest of the first page; null before the first load. */
  page: ListPage<Item, Extra> | null;
  /** Whether `page` belongs to an earlier filter, whose items stay until those of the new one arrive. */
  isStale: boolean;
  error: unknown;
  reload: () => void;
  /** Resolves to the first new item; undefined if there is none, or after a failure. */
  showMore: () => Promise<Item | undefined>;
  more: RunningAction<"more">;
  /** Replaces items by the results of an action. */
  change: (to: (item: Item) => Item | null) => void;
};

/** Reads a list by pages. A new `read`, such as that of another filter, starts from its first page. */
export function usePages<Item, Extra>(read: ReadPage<Item, Extra>): Pages<Item, Extra> {
  const [state, setState] = useState<State<Item, Extra> | null>(null);
  const [times, setTimes] = useState(0);
  const more = useAction<"more">();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` reads the same pages again
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    read(undefined, signal).then(
      (page) => signal.aborted || setState({ read, page, error: null }),
      (error: unknown) => signal.aborted || setState({ read, page: null, error }),
    );
    return () => leaving.abort();
  }, [read, times]);

  const reload = useCallback(() => setTimes((before) => before + 1), []);
  const page = state?.page ?? null;
  const isStale = state !== null && state.read !== read;
  const { run } = more;

  const showMore = async () => {
    let first: Item | undefined;
    if (page?.next === undefined || isStale) return first;
    const { next } = page;
    await run("more", async () => {
      const added = await read(next, new AbortController().signal);
      first = added.items[0];
      setState((before) => {
        if (before?.read !== read || before.page?.next !== next) return before;
        return { ...before, page: { ...before.page, items: [...before.page.items, ...added.items], next: added.next } };
      });
    });
    return first;
  };

  const change = (to: (item: Item) => Item | null) =>
    setState((before) => {
      if (!before?.page) return before;
      const items = before.page.items.map(to).filter((item): item is NonNullable<typeof item> => item !== null);
      return { ...before, page: { ...before.page, items } };
    });

  return { page, isStale, error: state?.error ?? null, reload, showMore, more, change };
}
