import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { CreatedInvitation, Invitation } from "#contract/administration/invitations.ts";
import { useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import { useReveal } from "../../forms/use-reveal.ts";
import invitationTexts from "../../locales/en/invitations.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { ShowMore } from "../../page/show-more.tsx";
import { withProof } from "../../proof/proof.ts";
import { usePages } from "../../queries/use-pages.ts";
import { useResource } from "../../queries/use-resource.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { readGroups } from "../groups/groups-api.ts";
import { invitationsApi, readInvitations } from "../invitations-api.ts";
import type { CreatedClassCode } from "./created-class-code.ts";
import { CreatedCode } from "./created-code.tsx";
import { CreatedLink } from "./created-link.tsx";
import { InvitationLine } from "./invitation-line.tsx";
import { InviteForm } from "./invite-form.tsx";

registerTexts("invitations", invitationTexts);

const bulkModule = lazyModule(() => import("../bulk/bulk-invitations.tsx"));

/** Focus request. `isNew`: the row was added; otherwise it takes the focus only if the button below it is gone. */
type GoOn = { id: string; isNew: boolean };

const emptyClass = "rounded-surface border border-hairline border-dashed px-6 py-10";

/** Invitations of the server: those there are, and a form for new ones. A manager invites into their own group. */
export function InvitationsPage() {
  const { t } = useTranslation("invitations");
  const { user } = useSession();
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("text")}</p>
      {user?.role === "manager" ? <ManagerInvitations /> : <Invitations />}
    </>
  );
}

function ManagerInvitations() {
  const { t } = useTranslation("groups");
  const { value, error, reload } = useResource(readGroups);
  if (error !== null) return <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />;
  if (value === null) return <LinesLoading lines={4} />;
  if (value.groups.length > 0) return <Invitations />;
  return <EmptyState title={t("emptyOwn")} text={t("emptyOwnText")} className={cx(emptyClass, "mt-6")} />;
}

/** What a new invitation shows; `text` is announced to screen readers. */
type Created = { text: string } & ({ link: string } | CreatedClassCode);

function Invitations() {
  const { t } = useTranslation("invitations");
  const { page, error, reload, showMore, more, change } = usePages(readInvitations);
  const form = useReveal();
  const bulk = useReveal();
  const bulkForm = useLazyModule(bulkModule, bulk.isOpen, bulk.close);
  const [created, setCreated] = useState<Created | null>(null);
  const { run, busy, failure } = useAction<string>();
  const [asked, setAsked] = useState<Invitation | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const [goOnAt, setGoOnAt] = useState<GoOn | null>(null);
  const invitations = page?.items ?? [];
  const hasMore = page?.next !== undefined;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a later end of the list must not move the focus
  useEffect(() => {
    if (goOnAt?.isNew || (goOnAt && !hasMore)) document.getElementById(goOnAt.id)?.focus();
  }, [goOnAt]);

  const goOn = async () => {
    const last = invitations.at(-1);
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
  const finish = (answer: CreatedInvitation, isMailed: boolean) => {
    const { invitation, link, code } = answer;
    const { address } = invitation;
    const forOne = isMailed ? "created.mailed" : "created.forOne";
    const text = address === undefined ? t("created.text") : t(forOne, { address });
    setCreated(code === undefined ? { link, text } : { ...answer, code, text: t("createdCode.title") });
    reload();
  };
  const close = () => {
    setCreated(null);
    form.close();
  };

  return (
    <>
      {!form.isOpen && !bulk.isOpen && (
        <div className="mt-6 flex flex-wrap gap-3">
          <Button
            ref={form.trigger}
            onClick={() => {
              setConfirmation(null);
              form.open();
            }}
          >
            {t("invite")}
          </Button>
          <Button
            variant="secondary"
            ref={bulk.trigger}
            onClick={() => {
              setConfirmation(null);
              bulk.open();
            }}
          >
            {t("inviteSeveral")}
          </Button>
        </div>
      )}
      {bulkForm && <bulkForm.BulkInvitations onChanged={reload} onClose={bulk.close} />}
      {form.isOpen && !created && (
        <InviteForm
          hasTrustedNetworks={page?.extra.hasTrustedNetworks ?? false}
          onCreated={finish}
          onCancel={form.close}
        />
      )}
      {created && "code" in created && <CreatedCode created={created} onClose={close} />}
      {created && !("code" in created) && <CreatedLink {...created} onClose={close} />}
      <p role="status" className="sr-only">
        {created?.text}
      </p>
      <FailureBanner failure={failure} className="mt-6" />
      <div className={confirmation === null ? "sr-only" : "mt-6"}>
        <FormStatus text={confirmation} />
      </div>
      <div className="mt-6">
        {error !== null && <LoadFailure error={error} onRetry={reload} />}
        {page === null && error === null && <LinesLoading lines={4} />}
        {page !== null && invitations.length === 0 && (
          <EmptyState title={t("empty")} text={t("emptyText")} className={emptyClass} />
        )}
        {invitations.length > 0 && (
          <ul
            aria-label={t("list")}
            className="divide-y divide-hairline rounded-surface border border-hairline bg-raised"
          >
            {invitations.map((invitation) => (
              <InvitationLine
                key={invitation.id}
                invitation={invitation}
                isBusy={busy === invitation.id}
                isHeld={busy !== null}
                onRevoke={() => setAsked(invitation)}
              />
            ))}
          </ul>
        )}
        <ShowMore
          hasMore={hasMore}
          more={more}
          labels={{ idle: t("more"), busy: t("loadingMore") }}
          onShow={() => void goOn()}
        />
      </div>
      <ConfirmDialog
        isOpen={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={t("revokeTitle")}
        description={`${t("revokeText")}${asked && asked.role !== "person" ? ` ${t("revokeRole")}` : ""}`}
        confirmLabel={t("revoke")}
        onConfirm={() => asked && void revoke(asked)}
      />
    </>
  );
}
