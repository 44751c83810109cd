import { MailPlus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import type { AccountGroup } from "#contract/administration/groups.ts";
import { SECOND } from "#contract/limits.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { ShowMore } from "../../page/show-more.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { administrationApi } from "../administration-api.ts";
import { CsvButton } from "../csv-button.tsx";
import { useGroups } from "../groups/group-select.tsx";
import { useHasRole } from "../use-has-role.ts";
import { PeopleBar } from "./people-bar.tsx";
import { PeopleFilter } from "./people-filter.tsx";
import { PeopleTable } from "./people-table.tsx";
import { type People, usePeople } from "./use-people.ts";

/**
 * Everybody with an account, for a manager those of the own group: search, filters, and actions on several at once.
 * `?group=ID` in the address shows the members of a group first.
 */
export function PeoplePage() {
  const { t } = useTranslation(["administration", "groups"]);
  const isAdministrator = useHasRole("administrator");
  const groups = useGroups();
  const offered = isAdministrator ? groups : [];
  const people = usePeople(groups);
  const { page, isStale, error, reload, actions } = people;
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">
        {isAdministrator ? t("people.text") : t("groups:people.text")}
      </p>
      <PeopleFilter filter={people.filter} groups={offered} onChange={people.changeFilter} />
      <div className="mt-8 flex min-h-11 flex-wrap items-center justify-between gap-3">
        <p role="status" className="min-w-0 text-muted text-sm">
          {page && !isStale && [t("people.count", { count: page.extra }), ...actions.outcome].join(" · ")}
        </p>
        <PeopleTools filter={people.settled} />
      </div>
      <FailureBanner failure={actions.failure} className="mt-3" />
      {error !== null && <LoadFailure error={error} onRetry={reload} className="mt-3" />}
      {page === null && error === null && <LinesLoading lines={6} />}
      {page !== null && page.items.length === 0 && <NobodyFound filter={people.settled} />}
      <ListedPeople people={people} groups={offered} />
      <ShowMore
        hasMore={page?.next !== undefined}
        more={people.more}
        labels={{ idle: t("people.more"), busy: t("people.loadingMore") }}
        onShow={() => void people.goOn()}
      />
    </>
  );
}

type FilterProps = { filter: People["settled"] };

/** Buttons that invite people, and save the listed ones as a file. */
function PeopleTools({ filter }: FilterProps) {
  const { t } = useTranslation("administration");
  const navigate = useNavigate();
  const { state }: { state: unknown } = useLocation();
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <Button size="small" onClick={() => void navigate("/administration/invitations", { state })}>
        <MailPlus aria-hidden="true" className="size-4" />
        {t("people.invite")}
      </Button>
      <CsvButton
        label={t("people.csv")}
        save={() => administrationApi.saveAccounts(filter)}
        onSaved={() => notify("info", t("people.csvSaved"), { durationMs: 6 * SECOND })}
      />
    </div>
  );
}

function NobodyFound({ filter: { q, role, state } }: FilterProps) {
  const { t } = useTranslation(["administration", "groups"]);
  const isAdministrator = useHasRole("administrator");
  // A manager sees at least their own account, if they are in a group.
  const isOutside = !isAdministrator && q === "" && role === null && state === null;
  return (
    <EmptyState
      drawing="unanswered"
      title={isOutside ? t("groups:emptyOwn") : t("people.empty")}
      text={isOutside ? t("groups:emptyOwnText") : t("people.emptyText")}
      className="mt-3 rounded-surface border border-hairline border-dashed px-6 py-10"
    />
  );
}

type ListedPeopleProps = { people: People; groups: readonly AccountGroup[] };

/** The table of the people, with the actions on the selected ones. */
function ListedPeople({
  people: { page, isStale, selected, select, clearSelection, actions },
  groups,
}: ListedPeopleProps) {
  const accounts = page?.items ?? [];
  if (accounts.length === 0) return null;
  const chosen = accounts.filter(({ id }) => selected.has(id));
  return (
    <div aria-busy={isStale} className={cx("transition-opacity", isStale && "opacity-60")}>
      <PeopleTable
        accounts={accounts}
        selected={selected}
        onSelect={select}
        bar={<PeopleBar accounts={chosen} groups={groups} actions={actions} onClear={clearSelection} />}
      />
    </div>
  );
}
