import { Search, SlidersHorizontal, X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { SEARCH_MAX } from "#contract/limits.ts";
import type { SearchHit } from "#contract/search.ts";
import { cx } from "../ui/cx.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Spinner } from "../ui/spinner.tsx";
import { useDelayed } from "../ui/use-delayed.ts";
import { type FilterFolder, FilterRow } from "./filter-row.tsx";
import { groupHits, type HitGroup, inOrder } from "./hit-groups.ts";
import { hitId } from "./hit-list.tsx";
import { SearchResults } from "./search-results.tsx";
import { noFilters, type SearchFilters, SearchRun } from "./search-run.ts";
import { useModels } from "./use-models.ts";

type SearchPanelProps = {
  /** What stands in the field at first. */
  typed: string;
  folders: readonly FilterFolder[];
  onChoose: (hit: SearchHit) => void;
};

/** The field, its filters, and what was found. */
export function SearchPanel({ typed, folders, onChoose }: SearchPanelProps) {
  const { t } = useTranslation("search");
  const listId = useId();
  const [run] = useState(() => new SearchRun());
  const state = useSyncExternalStore(run.subscribe, run.current);
  const [begun] = useState(typed);
  const [query, setQuery] = useState(begun);
  const [filters, setFilters] = useState(noFilters);
  const [hasFilters, setHasFilters] = useState(false);
  const models = useModels(hasFilters);
  const groups = useMemo(() => groupHits(state.hits), [state.hits]);
  const { active, setActive, move } = useActive(groups);
  useEffect(() => {
    if (begun !== "") run.ask(begun, noFilters);
    return run.stop;
  }, [run, begun]);

  const change = (nextQuery: string, nextFilters: SearchFilters) => {
    setQuery(nextQuery);
    setFilters(nextFilters);
    run.ask(nextQuery, nextFilters);
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && active && !state.isLoading) onChoose(active);
    else if (step !== undefined) move(step);
    else return;
    event.preventDefault();
  };
  const isFiltered = Object.values(filters).some((value) => value !== "");

  return (
    <>
      <div className="flex shrink-0 items-center gap-2 border-hairline border-b px-3 py-2">
        <Search aria-hidden="true" className="ms-1.5 size-[1.125rem] shrink-0 text-muted" />
        <input
          role="combobox"
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={SEARCH_MAX}
          aria-label={t("field")}
          aria-expanded={groups.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active ? hitId(active) : undefined}
          placeholder={t("placeholder")}
          value={query}
          onChange={({ target }) => change(target.value, filters)}
          onKeyDown={press}
          className="h-11 min-w-0 flex-1 bg-transparent px-1 text-base outline-none placeholder:text-muted"
        />
        {state.isLoading && <SlowSpinner />}
        <IconButton
          label={t("filters")}
          title={t("filters")}
          icon={<SlidersHorizontal aria-hidden="true" />}
          aria-expanded={hasFilters}
          className={cx((hasFilters || isFiltered) && "bg-accent-soft text-accent")}
          onClick={() => setHasFilters(!hasFilters)}
        />
        <Radix.Close asChild>
          <IconButton label={t("close", { ns: "app" })} icon={<X aria-hidden="true" />} />
        </Radix.Close>
      </div>
      {hasFilters && <FilterRow {...{ filters, folders, models }} onChange={(next) => change(query, next)} />}
      <SearchResults
        listId={listId}
        state={state}
        groups={groups}
        active={active}
        isFiltered={isFiltered}
        onPoint={setActive}
        onChoose={onChoose}
        onMore={() => void run.showMore()}
        onAgain={() => void run.again()}
      />
    </>
  );
}

/** Keys that go through what was found, by so many. */
const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 5, PageUp: -5 };

/** The hit that Enter chooses: the best one, until another one is pointed at. */
function useActive(groups: readonly HitGroup[]) {
  const [pointed, setActive] = useState<SearchHit | null>(null);
  const hits = inOrder(groups);
  const active = pointed && hits.includes(pointed) ? pointed : (hits[0] ?? null);
  const move = (step: number) => {
    const place = active ? hits.indexOf(active) : -1;
    const next = hits[Math.max(0, Math.min(hits.length - 1, place + step))];
    if (!next) return;
    setActive(next);
    document.getElementById(hitId(next))?.scrollIntoView({ block: "nearest" });
  };
  return { active, setActive, move };
}

/** What is quick needs no sign that it goes on. */
function SlowSpinner() {
  const isSlow = useDelayed(150);
  return isSlow ? <Spinner className="size-4 text-muted" /> : null;
}
