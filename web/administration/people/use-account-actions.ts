import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AccountAction, AccountState, ListedAccount } from "#contract/administration/administration.ts";
import type { ErrorCode } from "#contract/errors.ts";
import { personName } from "../../accounts/person-name.ts";
import { type RunningAction, useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { administrationApi } from "../administration-api.ts";

export type AccountActions = Pick<RunningAction<AccountAction>, "busy" | "failure"> & {
  /** Sentences about the last action; the refused accounts are named. */
  outcome: readonly string[];
  /** `groupId`: for `set-group`. */
  act: (accounts: readonly ListedAccount[], action: AccountAction, groupId?: string | null) => Promise<void>;
};

/**
 * Runs actions on accounts, after a proof.
 * @param onDone called with the ids of the accounts for which the action was done
 */
export function useAccountActions(
  onDone: (ids: ReadonlySet<string>, action: AccountAction, groupId: string | null) => void,
): AccountActions {
  const { t } = useTranslation(["administration", "errors"]);
  const { run, busy, failure } = useAction<AccountAction>();
  const [outcome, setOutcome] = useState<readonly string[]>([]);

  const act = (accounts: readonly ListedAccount[], action: AccountAction, groupId?: string | null) =>
    run(action, async () => {
      setOutcome([]);
      const ids = accounts.map(({ id }) => id);
      const { results } = await withProof(() => administrationApi.act(ids, action, groupId));
      const done = results.filter((result) => result.ok);
      const changed = done.filter((result) => result.changed).length;
      const refused = results.flatMap((result) => (result.ok ? [] : [result]));
      const nameOf = (id: string) =>
        accounts
          .filter((account) => account.id === id)
          .map(personName)
          .join();
      setOutcome([
        ...(changed > 0 ? [t("done", { count: changed })] : []),
        ...(done.length > changed ? [t("unchanged", { count: done.length - changed })] : []),
        ...refused.map(({ id, code }) => t("refused", { name: nameOf(id), reason: t(`errors:${code as ErrorCode}`) })),
      ]);
      onDone(new Set(done.map(({ id }) => id)), action, groupId ?? null);
    });

  return { act, busy, failure, outcome };
}

/** Returns the state of an account after an action; null if it is deleted. */
export function stateAfter(state: AccountState, action: AccountAction): AccountState | null {
  if (action === "delete") return null;
  if (state === "leaving") return state;
  if (action === "disable") return "disabled";
  if (action === "enable" && state === "disabled") return "active";
  return action === "verify" && state === "unverified" ? "active" : state;
}
