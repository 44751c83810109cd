import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccountAction, accountActions, type ListedAccount } from "#contract/administration/administration.ts";
import { useSession } from "../../accounts/session/session.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import type { AccountActions } from "./use-account-actions.ts";

/** Actions that ask for confirmation. */
const asking = ["revoke-shares", "disable", "reset-second-factor", "delete"] as const;
type Asking = (typeof asking)[number];

/** Whether an action asks for confirmation. */
export const isAsking = (action: AccountAction): action is Asking => asking.some((each) => each === action);

/** Actions that ask come last. */
const sortedActions = [...accountActions.filter((action) => !isAsking(action)), ...asking];

type OfferedActs = {
  /** Actions that apply to at least one of the accounts. */
  offered: readonly AccountAction[];
  /** Runs an action, after its question if it has one. */
  start: (action: AccountAction) => void;
  /** The dialog of the question. */
  question: ReactNode;
};

/** Returns the actions that the signed-in account may do to these accounts. */
export function useOfferedActs(accounts: readonly ListedAccount[], { act, busy }: AccountActions): OfferedActs {
  const { t } = useTranslation("administration");
  const [asked, setAsked] = useState<Asking | null>(null);
  const isManager = useSession().user?.role === "manager";
  const offered = sortedActions.filter((action) =>
    accounts.some((account) => applies(account, action) && (!isManager || mayManage(account, action))),
  );
  const start = (action: AccountAction) => {
    if (busy !== null) return;
    if (isAsking(action)) setAsked(action);
    else void act(accounts, action);
  };
  const question = (
    <ConfirmDialog
      isOpen={asked !== null}
      onOpenChange={(isOpen) => !isOpen && setAsked(null)}
      title={asked ? t(`confirm.${asked}Title`, { count: accounts.length }) : ""}
      description={asked ? t(`confirm.${asked}Text`) : ""}
      confirmLabel={asked ? t(`actions.${asked}`) : ""}
      onConfirm={() => asked && void act(accounts, asked)}
    />
  );
  return { offered, start, question };
}

/** Facts that only the page of one account knows. */
type AccountFacts = { hasSecondFactor?: boolean; hasPasskeys?: boolean | undefined; shares?: number };
type OfferedAccount = ListedAccount & AccountFacts;

/** Whether an offered action has nothing to do now. It remains visible, so that its button does not lose the focus. */
export const isIdle = ({ shares = 0 }: OfferedAccount, action: AccountAction) =>
  action === "revoke-shares" && shares === 0;

function applies(
  { state, hasSecondFactor = false, hasPasskeys = false, shares }: OfferedAccount,
  action: AccountAction,
): boolean {
  switch (action) {
    case "verify":
      return state === "unverified";
    case "enable":
      return state === "disabled";
    case "disable":
      return state === "active" || state === "unverified";
    case "end-sessions":
    case "send-reset":
      return state === "active";
    case "reset-second-factor":
      return hasSecondFactor || hasPasskeys;
    case "revoke-shares":
      return shares !== undefined;
    case "delete":
      return true;
    // It needs a group: `MoveToGroup`.
    case "set-group":
      return false;
  }
}

const forAdministrators: readonly AccountAction[] = ["delete", "reset-second-factor", "revoke-shares"];

/** Whether a manager may do it to a member of the own group. */
const mayManage = ({ role }: ListedAccount, action: AccountAction) =>
  role === "person" && !forAdministrators.includes(action);
