import { AtSign, Presentation, UsersRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Invitation, type InvitationState, mayRevoke } from "#contract/administration/invitations.ts";
import { useSession } from "../../accounts/session/session.ts";
import { exactTime } from "../../locales/times.ts";
import { Badge } from "../../page/badge.tsx";
import { TimeAgo, useMinute } from "../../page/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { InvitedPeople } from "./invited-people.tsx";
import { timeUntil } from "./time-until.ts";

type InvitationLineProps = {
  invitation: Invitation;
  isBusy: boolean;
  /** Whether this or another invitation is being revoked. */
  isHeld: boolean;
  onRevoke: () => void;
};

/** An invitation in the list. It is focusable, so that reading can continue there after its button was removed. */
export function InvitationLine({ invitation, isBusy, isHeld, onRevoke }: InvitationLineProps) {
  const { t } = useTranslation(["invitations", "administration"]);
  const { user } = useSession();
  const now = useMinute();
  const { id, address, uses, usesMax, role, note, group, createdAt, createdBy, expiresAt, users, classCode } =
    invitation;
  const state = stateAt(invitation, now);
  const { Icon, name } = useKind(invitation);
  const by = (time: string) =>
    createdBy.username === undefined ? t("byGone", { time }) : t("by", { name: createdBy.username, time });
  return (
    <li
      id={id}
      tabIndex={-1}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-4 sm:gap-x-4 sm:px-5"
    >
      <span
        aria-hidden="true"
        className="flex size-9 items-center justify-center self-start rounded-control bg-sunken text-muted"
      >
        <Icon className="size-4.5" />
      </span>
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 font-medium text-sm">
        <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
        <Badge tone={state === "active" ? "accent" : "plain"}>{t(`state.${state}`)}</Badge>
      </p>
      {mayRevoke(user?.role ?? "person", role) && isRevocable(invitation, state) && (
        <Button
          variant="secondary"
          size="small"
          className="self-start"
          aria-label={t("revokeLabel", { name })}
          busy={isBusy}
          aria-disabled={isHeld || undefined}
          onClick={() => !isHeld && onRevoke()}
        >
          {t("revoke")}
        </Button>
      )}
      <div className="col-start-2 col-end-[-1] mt-0.5 text-muted text-sm leading-text">
        <p>
          {t(`administration:roles.${role}`)}
          {group && (
            <>
              {" · "}
              <bdi>{group.name}</bdi>
            </>
          )}
          {classCode?.trustedOnly && ` · ${t("classCode.trustedOnly")}`}
          {address === undefined && ` · ${t("uses", { uses, usesMax })}`}
          {state === "active" && <Expiry at={expiresAt} now={now} />}
          {state === "expired" && <TimeAgo at={expiresAt} sentence={(time) => ` · ${t("expired", { time })}`} />}
        </p>
        {classCode?.isDead && state === "active" && <p className="text-danger">{t("classCode.dead")}</p>}
        <p className="[overflow-wrap:anywhere]">
          <TimeAgo at={createdAt} sentence={by} />
        </p>
        {note !== "" && (
          <p dir="auto" className="own-way text-ink [overflow-wrap:anywhere]">
            {note}
          </p>
        )}
        {users.length > 0 && <InvitedPeople users={users} uses={uses} />}
      </div>
    </li>
  );
}

/** Returns for whom an invitation is. */
function useKind({ address, classCode }: Invitation) {
  const { t } = useTranslation("invitations");
  if (address !== undefined) return { Icon: AtSign, name: address };
  return classCode ? { Icon: Presentation, name: t("classCode.name") } : { Icon: UsersRound, name: t("anybody") };
}

/** Returns the state now: the answer of the server may be older than the end of the invitation. */
const stateAt = ({ state, expiresAt }: Invitation, now: number): InvitationState =>
  state === "active" && expiresAt <= now ? "expired" : state;

/** A used or expired invitation can be revoked while an account may still get its role. */
const isRevocable = ({ role, users }: Invitation, state: InvitationState): boolean =>
  state === "active" || (state !== "revoked" && role !== "person" && users.some(({ isVerified }) => !isVerified));

function Expiry({ at, now }: { at: number; now: number }) {
  const { t, i18n } = useTranslation("invitations");
  return (
    <time dateTime={new Date(at).toISOString()} {...tooltip(exactTime(at, i18n.language))}>
      {` · ${t("expires", { time: timeUntil(at, now, i18n.language) })}`}
    </time>
  );
}
