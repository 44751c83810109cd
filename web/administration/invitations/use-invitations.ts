import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Invitation } from "#contract/administration/invitations.ts";
import { useAction } from "../../forms/use-action.ts";
import { withProof } from "../../proof/proof.ts";
import { usePages } from "../../queries/use-pages.ts";
import { invitationsApi, readInvitations } from "../invitations-api.ts";

/** Focus request. `isNew`: the row was added; otherwise it takes the focus only if the button below it is gone. */
type GoOn = { id: string; isNew: boolean };

/** The listed invitations, with their actions. */
export type Invitations = ReturnType<typeof useInvitations>;

/** Lists the invitations page by page, and revokes them. `busy`: id of the one that is being revoked. */
export function useInvitations() {
  const { t } = useTranslation("invitations");
  const { page, error, reload, showMore, more, change } = usePages(readInvitations);
  const { run, busy, failure } = useAction<string>();
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [goOnAt, setGoOnAt] = useState<GoOn | null>(null);
  const hasMore = page?.next !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a later end of the list must not move the focus
  useEffect(() => {
    if (goOnAt?.isNew || (goOnAt && !hasMore)) document.getElementById(goOnAt.id)?.focus();
  }, [goOnAt]);

  const goOn = async () => {
    const last = page?.items.at(-1);
    const added = await showMore();
    const id = (added ?? last)?.id;
    if (id !== undefined) setGoOnAt({ id, isNew: added !== undefined });
  };
  const revoke = ({ id }: Invitation) =>
    run(id, async () => {
      setConfirmation(null);
      await withProof(() => invitationsApi.revoke(id));
      change((each) => (each.id === id ? { ...each, state: "revoked" } : each));
      setConfirmation(t("revoked"));
      // The focused button is removed.
      setGoOnAt({ id, isNew: true });
    });
  return {
    page,
    error,
    reload,
    hasMore,
    more,
    goOn,
    busy,
    failure,
    revoke,
    confirmation,
    clearConfirmation: () => setConfirmation(null),
  };
}
