import { ArrowLeft, ListFilter, Search, X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/conversation/search.ts";
import { SEARCH_MAX } from "#contract/limits.ts";
import { modelsQuery } from "../queries/models-query.ts";
import { useQuery } from "../queries/use-query.ts";
import { useStore } from "../store/use-store.ts";
import { cx } from "../ui/components/cx.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { Spinner } from "../ui/components/spinner.tsx";
import { useDelayed } from "../ui/components/use-delayed.ts";
import { isComposing } from "../ui/keys/press.ts";
import { type FilterFolder, FilterRow } from "./filter-row.tsx";
import { groupHits } from "./hit-groups.ts";
import { optionsOf, useActive } from "./option-list.ts";
import { type PaletteEntries, titleHits } from "./palette-entry.ts";
import { SearchResults } from "./search-results.tsx";
import { noFilters, type SearchFilters, type SearchQuestion, SearchRun } from "./search-run.ts";

type SearchPanelProps = {
  /** Its query is the initial text of the field. */
  run: SearchRun;
  folders: readonly FilterFolder[];
  onChoose: (hit: SearchHit) => void;
  palette?: PaletteEntries;
};

/** The search field, its filters and the results. */
export function SearchPanel({ run, folders, onChoose, palette = noPalette }: SearchPanelProps) {
  const { t } = useTranslation("search");
  const listId = useId();
  const filtersId = useId();
  const { scope, chats, entriesFor } = palette;
  // Choices are not searched on the server: all of them are loaded.
  const found = useStore(run.state);
  const state = scope ? noSearch : found;
  const [begun] = useState(scope ? noQuestion : run.asked);
  const [{ query, filters }, setQuestion] = useState(begun);
  const [hasFilters, setHasFilters] = useState(begun.filters !== noFilters);
  const models = useModels(hasFilters);
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
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The next letter is typed after the existing text.
    field.current?.focus();
    field.current?.setSelectionRange(begun.query.length, begun.query.length);
  }, [begun]);
  const isScope = scope !== null;
  useEffect(() => {
    if (isScope) return;
    run.resume();
    return run.stop;
  }, [run, isScope]);

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

  return (
    <>
      <div className="flex shrink-0 items-center gap-2 border-hairline border-b px-3 py-2">
        {scope ? (
          <IconButton
            label={t("back")}
            icon={<ArrowLeft aria-hidden="true" className="rtl:-scale-x-100" />}
            size="small"
            onClick={scope.onBack}
          />
        ) : (
          <Search aria-hidden="true" className="ms-1.5 size-[1.125rem] shrink-0 text-muted" />
        )}
        <input
          ref={field}
          role="combobox"
          dir="auto"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={SEARCH_MAX}
          aria-label={t("field")}
          aria-expanded={options.length > 0}
          aria-controls={options.length > 0 ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={active?.id}
          placeholder={scope?.label ?? t("placeholder")}
          value={query}
          onChange={({ target }) => change(target.value, filters)}
          onKeyDown={press}
          className="h-11 min-w-0 flex-1 bg-transparent px-1 text-base outline-none placeholder:text-muted"
        />
        {state.isLoading && <SlowSpinner />}
        {!scope && (
          <IconButton
            label={t("filters")}
            icon={<ListFilter aria-hidden="true" />}
            aria-expanded={hasFilters}
            aria-controls={hasFilters ? filtersId : undefined}
            className={cx((hasFilters || isFiltered) && "bg-accent-soft text-accent")}
            onClick={() => setHasFilters(!hasFilters)}
          />
        )}
        <Radix.Close asChild>
          <IconButton label={t("close", { ns: "app" })} icon={<X aria-hidden="true" />} />
        </Radix.Close>
      </div>
      {hasFilters && (
        <FilterRow {...{ filters, folders, models }} id={filtersId} onChange={(next) => change(query, next)} />
      )}
      <SearchResults
        listId={listId}
        state={state}
        // A pending search has no result yet for the text in the field.
        query={scope ? query.trim() : state.query}
        entries={entries}
        groups={groups}
        recentLabel={isBegin && !scope ? palette.recentLabel : undefined}
        active={active?.id}
        isFiltered={isFiltered}
        onPoint={setActive}
        onChoose={onChoose}
        onMore={() => void run.showMore()}
        onAgain={() => void run.again()}
      />
    </>
  );
}

/** Keys that move the active option, with their steps. */
const steps: Partial<Record<string, number>> = {
  ...{ ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 },
  ...{ Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
};

const noQuestion: SearchQuestion = { query: "", filters: noFilters };
const noSearch = new SearchRun().state.get();
const noPalette: PaletteEntries = { entriesFor: () => [], chats: [], recentLabel: "", scope: null };

/** A fast response needs no progress indicator. */
function SlowSpinner() {
  const isSlow = useDelayed(150);
  return isSlow ? <Spinner className="size-4 text-muted" /> : null;
}

/** Reads the models for the filter once they are needed; none if reading fails. */
function useModels(isWanted: boolean) {
  const { value } = useQuery(modelsQuery, isWanted);
  return (value ?? []).flatMap(({ models }) => models);
}
