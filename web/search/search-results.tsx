import { useTranslation } from "react-i18next";
import type { SearchHit } from "#contract/search.ts";
import { isUnreachable, textByCode } from "../api/problem-text.ts";
import { Banner } from "../ui/banner.tsx";
import { Button } from "../ui/button.tsx";
import type { HitGroup } from "./hit-groups.ts";
import { HitList } from "./hit-list.tsx";
import type { SearchState } from "./search-run.ts";

type SearchResultsProps = {
  listId: string;
  state: SearchState;
  groups: readonly HitGroup[];
  active: SearchHit | null;
  isFiltered: boolean;
  onPoint: (hit: SearchHit) => void;
  onChoose: (hit: SearchHit) => void;
  onMore: () => void;
  onAgain: () => void;
};

/** What was found, or why there is nothing. */
export function SearchResults({
  listId,
  state,
  groups,
  active,
  isFiltered,
  onMore,
  onAgain,
  ...acts
}: SearchResultsProps) {
  const { t } = useTranslation("search");
  const { query, hits, next, isLoading, error } = state;
  const count = hits.length;
  const isEmpty = query !== "" && count === 0 && !isLoading && error === null;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      {error !== null && (
        <div className="p-3">
          <SearchFailure error={error} onAgain={onAgain} />
        </div>
      )}
      {count > 0 && <HitList id={listId} groups={groups} active={active} {...acts} />}
      {next !== null && count > 0 && (
        <div className="flex justify-center pb-3">
          <Button variant="quiet" size="small" className="text-muted" disabled={isLoading} onClick={onMore}>
            {t("more")}
          </Button>
        </div>
      )}
      {query === "" && !isLoading && error === null && (
        <p className="px-5 py-8 text-center text-muted text-sm">{t("begin")}</p>
      )}
      {isEmpty && (
        <div className="animate-fade px-5 py-8 text-center text-sm">
          <p className="[overflow-wrap:anywhere]">{t(isFiltered ? "noneFiltered" : "none", { query })}</p>
          <p className="mt-1 text-muted">{t("noneHint")}</p>
        </div>
      )}
      <p role="status" className="sr-only">
        {count > 0 && !isLoading && t(next === null ? "found" : "foundMore", { count })}
        {isEmpty && t("none", { query })}
      </p>
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
