import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type ToolApproval, toolApprovalListSchema } from "#contract/conversation/tool-approvals.ts";
import { ApiError } from "../../api/api-error.ts";
import { api } from "../../api/client.ts";
import { useAction } from "../../forms/use-action.ts";
import { useToolName } from "../../message/tools/tool-name.ts";
import { accountQuery } from "../../queries/query.ts";
import type { QueryResult } from "../../queries/use-query.ts";

/** Query of the tools that run without asking. */
export const approvalsQuery = accountQuery(async (signal) => {
  const { approvals } = await api.get(conversationPaths.toolApprovals, toolApprovalListSchema, { signal });
  return approvals;
});

/** Removes an approval; one that is removed already counts as a success. */
async function removeApproval(id: string): Promise<void> {
  try {
    await api.delete(conversationPaths.toolApproval(id));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

/** Whether to remove one approval, or all. */
export type Removal = ToolApproval | "all";

/** The approvals of the account, with their removal. `heading` takes the focus after one: its button is removed. */
export function useToolApprovals(heading: RefObject<HTMLElement | null>, query: QueryResult<ToolApproval[]>) {
  const { t } = useTranslation("toolApprovals");
  const nameOf = useToolName();
  const { value, error, reload, change } = query;
  const { run, busy, failure } = useAction<string>();
  const [confirmation, setConfirmation] = useState<string | null>(null);

  const remove = (removal: Removal) =>
    run(removal === "all" ? removal : removal.id, async () => {
      setConfirmation(null);
      if (removal === "all") await api.delete(conversationPaths.toolApprovals);
      else await removeApproval(removal.id);
      heading.current?.focus({ preventScroll: true });
      change(removal === "all" ? [] : (value ?? []).filter(({ id }) => id !== removal.id));
      setConfirmation(removal === "all" ? t("removedAll") : t("removed", { name: nameOf(removal) }));
      void reload();
    });
  return { approvals: value, error, reload, remove, busy, failure, confirmation };
}
