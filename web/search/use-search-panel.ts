import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import type { SearchHit } from "#contract/conversation/search.ts";
import { useStore } from "../store/use-store.ts";
import { isComposing } from "../ui/keys/press.ts";
import { groupHits } from "./hit-groups.ts";
import { optionsOf, useActive } from "./option-list.ts";
import { type PaletteEntries, titleHits } from "./palette-entry.ts";
import { noFilters, type SearchFilters, type SearchQuestion, SearchRun } from "./search-run.ts";

type PanelSearch = { run: SearchRun; onChoose: (hit: SearchHit) => void; palette: PaletteEntries };

/** State of a search panel, with its actions. */
export type PanelState = ReturnType<typeof useSearchPanel>;

/** Searches for the text of a field and offers the hits, with the entries of a palette, as options of a list. */
export function useSearchPanel({ run, onChoose, palette }: PanelSearch) {
  const { scope, chats, entriesFor } = palette;
  // Choices are not searched on the server: all of them are loaded.
  const found = useStore(run.state);
  const state = scope ? noSearch : found;
  const [begun] = useState(scope ? noQuestion : run.asked);
  const [{ query, filters }, setQuestion] = useState(begun);
  const isFiltered = Object.values(filters).some((value) => value !== "");
  const isBegin = query.trim() === "";
  const entries = entriesFor(query);
  const isByTitle = !scope && !isFiltered && (isBegin || (state.error !== null && state.hits.length === 0));
  const groups = useMemo(
    () => groupHits(isByTitle ? titleHits(chats, query) : state.hits, chats),
    [isByTitle, chats, query, state.hits],
  );
  const options = optionsOf(entries, groups, { isBegin, isStale: state.isLoading, choose: onChoose });
  const { active, setActive, move } = useActive(options);
  // Enter was pressed on a stale hit: the first new hit is chosen when it arrives.
  const [isChoosing, setChoosing] = useState(false);
  useEffect(() => {
    if (!isChoosing || state.isLoading) return;
    setChoosing(false);
    // After a failure the former hits are still listed.
    if (state.error === null && active?.isHit) active.choose();
  }, [isChoosing, state.isLoading, state.error, active]);
  const field = useFieldFocus(begun.query);
  useRunningSearch(run, scope === null);

  const change = (nextQuery: string, nextFilters: SearchFilters) => {
    setQuestion({ query: nextQuery, filters: nextFilters });
    setChoosing(false);
    setActive(undefined);
    if (!scope) run.ask(nextQuery, nextFilters);
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (isComposing(event.nativeEvent)) return;
    setChoosing(event.key === "Enter" && active?.isStale === true);
    if (event.key === "Enter" && active && !active.isStale) active.choose();
    else if (event.key === "Backspace" && query === "" && scope) scope.onBack();
    else if (step !== undefined && options.length > 0 && !event.shiftKey) move(step);
    else return;
    event.preventDefault();
  };
  return {
    field,
    state,
    query,
    filters,
    wasFiltered: begun.filters !== noFilters,
    isFiltered,
    isBegin,
    entries,
    groups,
    hasOptions: options.length > 0,
    active: active?.id,
    setActive,
    change,
    press,
  };
}

/** Focuses the field of the panel; the next letter is typed after the initial text. */
function useFieldFocus(text: string) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, [text]);
  return field;
}

/** Continues a search when the panel opens, and stops it when the panel closes. */
function useRunningSearch(run: SearchRun, isSearching: boolean): void {
  useEffect(() => {
    if (!isSearching) return;
    run.resume();
    return run.stop;
  }, [run, isSearching]);
}

/** Keys that move the active option, with their steps. */
const steps: Partial<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 5,
  PageUp: -5,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const noQuestion: SearchQuestion = { query: "", filters: noFilters };
const noSearch = new SearchRun().state.get();
