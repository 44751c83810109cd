import { MailPlus } from "lucide-react";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import type { ListedAccount } from "#contract/administration/administration.ts";
import type { AccountGroup } from "#contract/administration/groups.ts";
import { SECOND } from "#contract/limits.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { ShowMore } from "../../page/show-more.tsx";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { DEBOUNCE_MS, usePages } from "../../queries/use-pages.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { useDebounced } from "../../ui/use-debounced.ts";
import { type AccountFilter, administrationApi } from "../administration-api.ts";
import { CsvButton } from "../csv-button.tsx";
import { useGroups } from "../groups/group-select.tsx";
import { useHasRole } from "../use-has-role.ts";
import { PeopleBar } from "./people-bar.tsx";
import { PeopleFilter } from "./people-filter.tsx";
import { PeopleTable } from "./people-table.tsx";
import { stateAfter, useAccountActions } from "./use-account-actions.ts";

const first: AccountFilter = { q: "", role: null, state: null, group: null, sort: "created", direction: "desc" };

/**
 * Everybody with an account, for a manager those of the own group: search, filters, and actions on several at once.
 * `?group=ID` in the address shows the members of a group first.
 */
export function PeoplePage() {
  const { t } = useTranslation(["administration", "groups"]);
  const [address] = useSearchParams();
  const navigate = useNavigate();
  const { state }: { state: unknown } = useLocation();
  const isAdministrator = useHasRole("administrator");
  const groups = useGroups();
  const offered = isAdministrator ? groups : [];
  const [filter, setFilter] = useState({ ...first, group: address.get("group") });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const settled = useDebounced(filter, DEBOUNCE_MS);
  const read = useCallback(
    async (after: string | undefined, signal: AbortSignal) => {
      const { accounts, next, total } = await administrationApi.readAccounts(settled, after, signal);
      return { items: accounts, next, extra: total };
    },
    [settled],
  );
  const { page, isStale, error, reload, showMore, more, change } = usePages(read);
  const actions = useAccountActions((ids, action, groupId) => {
    change((account) => {
      if (!ids.has(account.id)) return account;
      if (action === "set-group")
        return inGroup(
          account,
          groups.find(({ id }) => id === groupId),
        );
      const state = stateAfter(account.state, action);
      return state && { ...account, state };
    });
    if (action === "delete") setSelected(new Set());
  });
  const accounts = page?.items ?? [];
  const chosen = accounts.filter(({ id }) => selected.has(id));

  // A manager sees at least their own account, if they are in a group.
  const isOutside = !isAdministrator && settled.q === "" && settled.role === null && settled.state === null;

  const select = (ids: readonly string[], isSelected: boolean) => {
    const rest = [...selected].filter((id) => !ids.includes(id));
    setSelected(new Set(isSelected ? [...rest, ...ids] : rest));
  };
  const focusRendered = useFocusRendered();
  const goOn = async () => {
    const added = await showMore();
    if (added) focusRendered(added.id);
  };

  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">
        {isAdministrator ? t("people.text") : t("groups:people.text")}
      </p>
      <PeopleFilter
        filter={filter}
        groups={offered}
        onChange={(changed) => {
          setSelected(new Set());
          setFilter((before) => ({ ...before, ...changed }));
        }}
      />
      <div className="mt-8 flex min-h-11 flex-wrap items-center justify-between gap-3">
        <p role="status" className="min-w-0 text-muted text-sm">
          {page && !isStale && [t("people.count", { count: page.extra }), ...actions.outcome].join(" · ")}
        </p>
        <div className="flex flex-wrap items-center justify-end gap-2">
          <Button size="small" onClick={() => void navigate("/administration/invitations", { state })}>
            <MailPlus aria-hidden="true" className="size-4" />
            {t("people.invite")}
          </Button>
          <CsvButton
            label={t("people.csv")}
            save={() => administrationApi.saveAccounts(settled)}
            onSaved={() => notify("info", t("people.csvSaved"), { durationMs: 6 * SECOND })}
          />
        </div>
      </div>
      <FailureBanner failure={actions.failure} className="mt-3" />
      {error !== null && <LoadFailure error={error} onRetry={reload} className="mt-3" />}
      {page === null && error === null && <LinesLoading lines={6} />}
      {page !== null && accounts.length === 0 && (
        <EmptyState
          drawing="unanswered"
          title={isOutside ? t("groups:emptyOwn") : t("people.empty")}
          text={isOutside ? t("groups:emptyOwnText") : t("people.emptyText")}
          className="mt-3 rounded-surface border border-hairline border-dashed px-6 py-10"
        />
      )}
      {accounts.length > 0 && (
        <div aria-busy={isStale} className={cx("transition-opacity", isStale && "opacity-60")}>
          <PeopleTable
            accounts={accounts}
            selected={selected}
            onSelect={select}
            bar={
              <PeopleBar accounts={chosen} groups={offered} actions={actions} onClear={() => setSelected(new Set())} />
            }
          />
        </div>
      )}
      <ShowMore
        hasMore={page?.next !== undefined}
        more={more}
        labels={{ idle: t("people.more"), busy: t("people.loadingMore") }}
        onShow={() => void goOn()}
      />
    </>
  );
}

/** Returns the account as a member of a group, or of none. */
function inGroup({ group: _, groupQuotaMb: __, ...account }: ListedAccount, group?: AccountGroup): ListedAccount {
  if (!group) return account;
  const quota = group.quotaMb === null ? {} : { groupQuotaMb: group.quotaMb };
  return { ...account, group: { id: group.id, name: group.name }, ...quota };
}
