import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Invitation } from "#contract/administration/invitations.ts";
import { useSession } from "../../accounts/session/session.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import invitationTexts from "../../locales/en/invitations.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { ShowMore } from "../../page/show-more.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { cx } from "../../ui/components/cx.ts";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { readGroups } from "../groups/groups-api.ts";
import { InvitationLine } from "./invitation-line.tsx";
import { NewInvitations } from "./new-invitations.tsx";
import { type Invitations, useInvitations } from "./use-invitations.ts";

registerTexts("invitations", invitationTexts);

const emptyClass = "rounded-surface border border-hairline border-dashed px-6 py-10";

/** Invitations of the server: those there are, and a form for new ones. A manager invites into their own group. */
export function InvitationsPage() {
  const { t } = useTranslation("invitations");
  const { user } = useSession();
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("text")}</p>
      {user?.role === "manager" ? <ManagerInvitations /> : <AllInvitations />}
    </>
  );
}

function ManagerInvitations() {
  const { t } = useTranslation("groups");
  const { value, error, reload } = useResource(readGroups);
  if (error !== null) return <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />;
  if (value === null) return <LinesLoading lines={4} />;
  if (value.groups.length > 0) return <AllInvitations />;
  return <EmptyState title={t("emptyOwn")} text={t("emptyOwnText")} className={cx(emptyClass, "mt-6")} />;
}

function AllInvitations() {
  const list = useInvitations();
  const { page, reload, failure, confirmation } = list;
  return (
    <>
      <NewInvitations
        hasTrustedNetworks={page?.extra.hasTrustedNetworks ?? false}
        onOpen={list.clearConfirmation}
        onCreated={reload}
      />
      <FailureBanner failure={failure} className="mt-6" />
      <div className={confirmation === null ? "sr-only" : "mt-6"}>
        <FormStatus text={confirmation} />
      </div>
      <InvitationList list={list} />
    </>
  );
}

/** The invitations, newest first. One is revoked after a question. */
function InvitationList({ list }: { list: Invitations }) {
  const { t } = useTranslation("invitations");
  const [asked, setAsked] = useState<Invitation | null>(null);
  const { page, error, busy } = list;
  const invitations = page?.items ?? [];
  return (
    <>
      <div className="mt-6">
        {error !== null && <LoadFailure error={error} onRetry={list.reload} />}
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
          hasMore={list.hasMore}
          more={list.more}
          labels={{ idle: t("more"), busy: t("loadingMore") }}
          onShow={() => void list.goOn()}
        />
      </div>
      <ConfirmDialog
        isOpen={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={t("revokeTitle")}
        description={`${t("revokeText")}${asked && asked.role !== "person" ? ` ${t("revokeRole")}` : ""}`}
        confirmLabel={t("revoke")}
        onConfirm={() => asked && void list.revoke(asked)}
      />
    </>
  );
}
