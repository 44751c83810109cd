import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/conversation/search.ts";
import { isUnreachable, textByCode } from "../api/problem-text.ts";
import { Button } from "../ui/components/button.tsx";
import { EmptyState } from "../ui/components/empty-state.tsx";
import { Banner } from "../ui/notifications/banner.tsx";
import { EntryList, GroupLabel } from "./entry-list.tsx";
import type { HitGroup } from "./hit-groups.ts";
import { HitList } from "./hit-list.tsx";
import { aroundHits, type PaletteEntry } from "./palette-entry.ts";
import type { SearchState } from "./search-run.ts";

type SearchResultsProps = {
  listId: string;
  state: SearchState;
  /** The query that the entries and the hits match; empty before anything is typed. */
  query: string;
  /** Actions and hits; before anything is typed, the recent chats under a label. */
  entries: readonly PaletteEntry[];
  groups: readonly HitGroup[];
  recentLabel: string | undefined;
  active: string | undefined;
  isFiltered: boolean;
  onPoint: (id: string) => void;
  onChoose: (hit: SearchHit) => void;
  onMore: () => void;
  onAgain: () => void;
};

/** Renders hits and actions, or the reason why there are none. */
export function SearchResults({ state, query, isFiltered, onMore, onAgain, ...shown }: SearchResultsProps) {
  const { t } = useTranslation("search");
  const { hits, next, isLoading, error } = state;
  const count = hits.length + shown.entries.length;
  const hasNone = shown.entries.length === 0 && shown.groups.length === 0;
  const isEmpty = query !== "" && hasNone && !isLoading && error === null;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      {error !== null && (
        <div className="p-3">
          <SearchFailure error={error} onAgain={onAgain} />
        </div>
      )}
      {!hasNone && <Options {...shown} />}
      {next !== null && hits.length > 0 && (
        <div className="flex justify-center pb-3">
          <Button variant="quiet" size="small" className="text-muted" disabled={isLoading} onClick={onMore}>
            {t("more")}
          </Button>
        </div>
      )}
      {query === "" && hasNone && !isLoading && error === null && (
        <EmptyState text={t("begin")} className="px-5 py-8" />
      )}
      {isEmpty && (
        <EmptyState
          drawing="unanswered"
          title={t(isFiltered ? "noneFiltered" : "none", { query })}
          text={t("noneHint")}
          className="animate-fade px-5 py-8"
        />
      )}
      <p role="status" className="sr-only">
        {query !== "" && count > 0 && !isLoading && t(next === null ? "found" : "foundMore", { count })}
        {isEmpty && t("none", { query })}
      </p>
    </div>
  );
}

type OptionsProps = Pick<
  SearchResultsProps,
  "listId" | "entries" | "groups" | "recentLabel" | "active" | "onPoint" | "onChoose"
>;

/** Listbox of all options. The field keeps the focus and moves the active option. */
function Options({ listId, entries, groups, recentLabel, active, onPoint, onChoose }: OptionsProps) {
  const { t } = useTranslation("search");
  const [before, after] = aroundHits(entries, recentLabel !== undefined);
  return (
    <div id={listId} role="listbox" aria-label={t("results")} className="flex flex-col gap-3 p-2">
      <EntryList entries={before} active={active} onPoint={onPoint} />
      {recentLabel !== undefined && groups.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: no other element groups the options of a listbox
        <div role="group" aria-label={recentLabel}>
          <GroupLabel>{recentLabel}</GroupLabel>
          <HitList groups={groups} active={active} onPoint={onPoint} onChoose={onChoose} isPlain />
        </div>
      ) : (
        <HitList groups={groups} active={active} onPoint={onPoint} onChoose={onChoose} />
      )}
      <EntryList entries={after} active={active} onPoint={onPoint} />
    </div>
  );
}

function SearchFailure({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation(["search", "app"]);
  const text = isUnreachable(error) ? t("failure.unreachable", { ns: "app" }) : textByCode(error);
  return (
    <Banner
      action={
        <Button variant="secondary" size="small" className="shrink-0 self-center" onClick={onAgain}>
          {t("tryAgain")}
        </Button>
      }
    >
      {t("failed")} {text}
    </Banner>
  );
}
