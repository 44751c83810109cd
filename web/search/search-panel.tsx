import { ArrowLeft, ListFilter, Search } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/conversation/search.ts";
import { SEARCH_MAX } from "#contract/limits.ts";
import { modelsQuery } from "../queries/models-query.ts";
import { useQuery } from "../queries/use-query.ts";
import { CloseButton } from "../ui/components/close-button.tsx";
import { cx } from "../ui/components/cx.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { Spinner } from "../ui/components/spinner.tsx";
import { useDelayed } from "../ui/components/use-delayed.ts";
import { type FilterFolder, FilterRow } from "./filter-row.tsx";
import type { PaletteEntries } from "./palette-entry.ts";
import { SearchResults } from "./search-results.tsx";
import type { SearchRun } from "./search-run.ts";
import { type PanelState, useSearchPanel } from "./use-search-panel.ts";

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
  const { scope } = palette;
  const panel = useSearchPanel({ run, onChoose, palette });
  const { state, query, filters, isFiltered, change } = panel;
  const [hasFilters, setHasFilters] = useState(panel.wasFiltered);
  const models = useModels(hasFilters);
  return (
    <>
      <SearchBar panel={panel} scope={scope} listId={listId}>
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
      </SearchBar>
      {hasFilters && (
        <FilterRow
          filters={filters}
          folders={folders}
          models={models}
          id={filtersId}
          onChange={(next) => change(query, next)}
        />
      )}
      <SearchResults
        listId={listId}
        state={state}
        // A pending search has no result yet for the text in the field.
        query={scope ? query.trim() : state.query}
        entries={panel.entries}
        groups={panel.groups}
        recentLabel={panel.isBegin && !scope ? palette.recentLabel : undefined}
        active={panel.active}
        isFiltered={isFiltered}
        onPoint={panel.setActive}
        onChoose={onChoose}
        onMore={() => void run.showMore()}
        onAgain={() => void run.again()}
      />
    </>
  );
}

const noPalette: PaletteEntries = { entriesFor: () => [], chats: [], recentLabel: "", scope: null };

type SearchBarProps = {
  panel: PanelState;
  scope: PaletteEntries["scope"];
  listId: string;
  /** The button of the filters. */
  children: ReactNode;
};

/** The row of the field, between the way back to all entries and the close button. */
function SearchBar({ panel, scope, listId, children }: SearchBarProps) {
  const { t } = useTranslation("search");
  const { hasOptions } = panel;
  return (
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
        ref={panel.field}
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
        aria-expanded={hasOptions}
        aria-controls={hasOptions ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={panel.active}
        placeholder={scope?.label ?? t("placeholder")}
        value={panel.query}
        onChange={({ target }) => panel.change(target.value, panel.filters)}
        onKeyDown={panel.press}
        className="h-11 min-w-0 flex-1 bg-transparent px-1 text-base outline-none placeholder:text-muted"
      />
      {panel.state.isLoading && <SlowSpinner />}
      {children}
      <Radix.Close asChild>
        <CloseButton size="medium" />
      </Radix.Close>
    </div>
  );
}

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
