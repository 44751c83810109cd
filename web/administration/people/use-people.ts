import { useCallback, useState } from "react";
import type { ListedAccount } from "#contract/administration/administration.ts";
import type { AccountGroup } from "#contract/administration/groups.ts";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { DEBOUNCE_MS, usePages } from "../../queries/use-pages.ts";
import { useDebounced } from "../../ui/use-debounced.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { type AccountFilter, administrationApi } from "../administration-api.ts";
import { stateAfter, useAccountActions } from "./use-account-actions.ts";

const first: AccountFilter = {
  q: "",
  role: null,
  state: null,
  way: null,
  group: null,
  sort: "created",
  direction: "desc",
};

/** The listed accounts, with their filter and the selected ones. */
export type People = ReturnType<typeof usePeople>;

/**
 * Lists accounts page by page, selects some of them and acts on these. `?group=ID` in the address limits the list to the
 * members of a group first. `settled`: the filter of the list, which follows `filter` after a debounce.
 */
export function usePeople(groups: readonly AccountGroup[]) {
  const [address] = useSearchParams();
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
  const clearSelection = () => setSelected(new Set());
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
    if (action === "delete") clearSelection();
  });
  const select = (ids: readonly string[], isSelected: boolean) => {
    const rest = [...selected].filter((id) => !ids.includes(id));
    setSelected(new Set(isSelected ? [...rest, ...ids] : rest));
  };
  const focusRendered = useFocusRendered();
  return {
    filter,
    settled,
    changeFilter: (changed: Partial<AccountFilter>) => {
      clearSelection();
      setFilter((before) => ({ ...before, ...changed }));
    },
    page,
    isStale,
    error,
    reload,
    more,
    goOn: async () => {
      const added = await showMore();
      if (added) focusRendered(added.id);
    },
    selected,
    select,
    clearSelection,
    actions,
  };
}

/** Returns the account as a member of a group, or of none. */
function inGroup({ group: _, groupQuotaMb: __, ...account }: ListedAccount, group?: AccountGroup): ListedAccount {
  if (!group) return account;
  const quota = group.quotaMb === null ? {} : { groupQuotaMb: group.quotaMb };
  return { ...account, group: { id: group.id, name: group.name }, ...quota };
}
