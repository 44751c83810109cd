import { useTranslation } from "react-i18next";
import type { ToolApproval } from "#contract/conversation/tool-approvals.ts";
import { chatAddress } from "../../chats/chat-address.ts";
import { shownTitle } from "../../chats/shown-title.ts";
import { isBuiltIn, useToolName } from "../../message/tools/tool-name.ts";
import { TimeAgo } from "../../page/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { Link } from "../../ui/components/link.tsx";

type ApprovalLineProps = {
  approval: ToolApproval;
  isBusy: boolean;
  /** Whether this or another approval is being removed. */
  isHeld: boolean;
  onRemove: () => void;
};

/** A tool that runs without asking: where, since when, and whether it still does. */
export function ApprovalLine({ approval, isBusy, isHeld, onRemove }: ApprovalLineProps) {
  const { t } = useTranslation("toolApprovals");
  const { server, chat, state, createdAt } = approval;
  const name = useToolName()(approval);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 py-4 sm:px-5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium text-sm [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
        </p>
        <p className="mt-0.5 text-muted text-sm leading-text [overflow-wrap:anywhere]">
          {isBuiltIn(approval) ? t("builtIn") : t("server", { server })}
        </p>
        <p className="text-muted text-sm leading-text [overflow-wrap:anywhere]">
          <TimeAgo at={createdAt} sentence={(time) => (chat ? t("inChat", { time }) : t("everywhere", { time }))} />{" "}
          {chat && (
            <Link to={chatAddress(chat.id)} className="text-ink underline underline-offset-4">
              <bdi>{shownTitle(chat)}</bdi>
            </Link>
          )}
        </p>
        {state !== "valid" && <p className="mt-1 text-sm text-warning leading-text">{t(`state.${state}`)}</p>}
      </div>
      <Button
        variant="secondary"
        size="small"
        aria-label={t("removeOne", { name })}
        busy={isBusy}
        aria-disabled={isHeld || undefined}
        onClick={() => !isHeld && onRemove()}
      >
        {t("remove")}
      </Button>
    </li>
  );
}
