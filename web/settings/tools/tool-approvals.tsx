import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolApproval } from "#contract/conversation/tool-approvals.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatusLine } from "../../forms/form-status.tsx";
import chat from "../../locales/en/chat.json";
import parts from "../../locales/en/parts.json";
import toolApprovals from "../../locales/en/toolApprovals.json";
import { registerTexts } from "../../locales/i18n.ts";
import { useToolName } from "../../message/tools/tool-name.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import type { QueryResult } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { ApprovalLine } from "./approval-line.tsx";
import { type Removal, useToolApprovals } from "./use-tool-approvals.ts";

registerTexts("chat", chat);
registerTexts("parts", parts);
registerTexts("toolApprovals", toolApprovals);

/** The tools that the person has approved for later calls, each of which can be made to ask again. */
export function ToolApprovals({ query }: { query: QueryResult<ToolApproval[]> }) {
  const { t } = useTranslation("toolApprovals");
  const heading = useRef<HTMLHeadingElement>(null);
  const { approvals, error, reload, remove, busy, failure, confirmation } = useToolApprovals(heading, query);
  const [asked, setAsked] = useState<Removal | null>(null);
  const list = approvals ?? [];
  return (
    <Section
      title={t("title")}
      text={t("text")}
      headingRef={heading}
      action={
        list.length > 1 && (
          <Button
            variant="secondary"
            size="small"
            busy={busy === "all"}
            aria-disabled={busy !== null || undefined}
            onClick={() => busy === null && setAsked("all")}
          >
            {t("removeAll")}
          </Button>
        )
      }
    >
      <FailureBanner failure={failure} className="m-4 sm:m-5" />
      {error !== null && <LoadFailure error={error} onRetry={() => void reload()} className="m-4 sm:m-5" />}
      {approvals === null && error === null && <LinesLoading lines={3} />}
      {approvals?.length === 0 && <EmptyState title={t("empty")} text={t("emptyText")} className="px-6 py-10" />}
      {list.length > 0 && (
        <ul className="divide-y divide-hairline">
          {list.map((approval) => (
            <ApprovalLine
              key={approval.id}
              approval={approval}
              isBusy={busy === approval.id}
              isHeld={busy !== null}
              onRemove={() => setAsked(approval)}
            />
          ))}
        </ul>
      )}
      <FormStatusLine text={confirmation} />
      <RemovalDialog asked={asked} onClose={() => setAsked(null)} onConfirm={(removal) => void remove(removal)} />
    </Section>
  );
}

type RemovalDialogProps = { asked: Removal | null; onClose: () => void; onConfirm: (removal: Removal) => void };

function RemovalDialog({ asked, onClose, onConfirm }: RemovalDialogProps) {
  const { t } = useTranslation("toolApprovals");
  const nameOf = useToolName();
  // The text stays while the dialog closes.
  const last = useRef<Removal>("all");
  if (asked !== null) last.current = asked;
  const shown = last.current;
  return (
    <ConfirmDialog
      isOpen={asked !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={shown === "all" ? t("removeAllTitle") : t("removeTitle", { name: nameOf(shown) })}
      description={shown === "all" ? t("removeAllText") : t("removeText")}
      confirmLabel={shown === "all" ? t("removeAll") : t("remove")}
      onConfirm={() => asked !== null && onConfirm(asked)}
    />
  );
}
