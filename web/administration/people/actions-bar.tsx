import { useTranslation } from "react-i18next";
import type { AdministeredAccount } from "#contract/administration/administration.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { Button } from "../../ui/components/button.tsx";
import { isAsking, isIdle, useOfferedActs } from "./offered-acts.tsx";
import type { AccountActions } from "./use-account-actions.ts";

type ActionsBarProps = { account: AdministeredAccount; actions: AccountActions };

/** Buttons of the actions that apply to an account, and what the last action did. */
export function ActionsBar({ account, actions }: ActionsBarProps) {
  const { t } = useTranslation("administration");
  const { busy, failure, outcome } = actions;
  const { offered, start, question } = useOfferedActs([account], actions);
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
            aria-disabled={busy !== null || isIdle(account, action) || undefined}
            onClick={() => !isIdle(account, action) && start(action)}
          >
            {t(`actions.${action}`)}
          </Button>
        ))}
      </div>
      <div role="status" className="text-pretty text-sm leading-text">
        {outcome.map((sentence) => (
          <p key={sentence} className="mt-2">
            {sentence}
          </p>
        ))}
      </div>
      {question}
    </div>
  );
}
