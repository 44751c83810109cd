import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccountAction, accountActions, type ListedAccount } from "#contract/administration.ts";
import { useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { Button } from "../../ui/components/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import type { AccountActions } from "./use-account-actions.ts";

/** Actions that ask for confirmation. */
const asking = ["disable", "delete"] as const;
type Asking = (typeof asking)[number];
const isAsking = (action: AccountAction): action is Asking => asking.some((each) => each === action);
/** Actions that ask come last. */
const sortedActions = [...accountActions.filter((action) => !isAsking(action)), ...asking];

type ActionsBarProps = { accounts: readonly ListedAccount[]; actions: AccountActions };

/** Buttons of the actions that apply to at least one of these accounts, and what the last action did. */
export function ActionsBar({ accounts, actions: { act, busy, failure, told } }: ActionsBarProps) {
  const { t } = useTranslation("administration");
  const [asked, setAsked] = useState<Asking | null>(null);
  const count = accounts.length;
  const { user } = useSession();
  const isManager = user?.role === "manager";
  const offered = sortedActions.filter((action) =>
    accounts.some((account) => applies(account, action) && (!isManager || mayManage(account, action))),
  );
  const start = (action: AccountAction) => {
    if (busy !== null) return;
    if (isAsking(action)) setAsked(action);
    else void act(accounts, action);
  };
  return (
    <div>
      <FailureBanner failure={failure} className="mb-3" />
      <div className="flex flex-wrap gap-2">
        {offered.map((action) => (
          <Button
            key={action}
            variant={isAsking(action) ? "dangerous" : "secondary"}
            size="small"
            busy={busy === action}
            aria-disabled={busy !== null || undefined}
            onClick={() => start(action)}
          >
            {t(`actions.${action}`)}
          </Button>
        ))}
      </div>
      <div role="status" className="text-pretty text-sm leading-text">
        {told.map((sentence) => (
          <p key={sentence} className="mt-2">
            {sentence}
          </p>
        ))}
      </div>
      <ConfirmDialog
        isOpen={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={asked ? t(`confirm.${asked}Title`, { count }) : ""}
        description={asked ? t(`confirm.${asked}Text`) : ""}
        confirmLabel={asked ? t(`actions.${asked}`) : ""}
        onConfirm={() => asked && void act(accounts, asked)}
      />
    </div>
  );
}

function applies({ state }: ListedAccount, action: AccountAction): boolean {
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
    case "delete":
      return true;
    // It needs a group: `MoveToGroup`.
    case "set-group":
      return false;
  }
}

/** Whether a manager may do it to a member of the own group. */
const mayManage = ({ role }: ListedAccount, action: AccountAction) => role === "person" && action !== "delete";
