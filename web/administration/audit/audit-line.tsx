import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { AuditEntry } from "#contract/administration.ts";
import type { NamedGroup } from "#contract/groups.ts";
import { useRecordWords } from "../../settings/activity/use-record-words.ts";
import { TimeAgo } from "../../settings/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { textLink } from "../../ui/components/text-link.ts";

/** Returns the element id of a line, which can be focused. */
export const auditLineId = (seq: number) => `record-${seq}`;

/** A record with the groups that its page names. */
type NamedEntry = AuditEntry & { groups: readonly NamedGroup[] };

type AuditLineProps = {
  entry: NamedEntry;
  /** Undoes the change; absent if that is not possible. */
  onUndo?: (() => void) | undefined;
  isBusy: boolean;
};

/** One record: what happened, about whom, by whom, and the values that changed. */
export function AuditLine({ entry, onUndo, isBusy }: AuditLineProps) {
  const { t } = useTranslation("administration");
  const { kindOf, changesOf } = useRecordWords();
  const { seq, at, kind, actor, subject } = entry;
  return (
    <li id={auditLineId(seq)} tabIndex={-1} className="flex items-baseline gap-x-4 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 text-sm">
        <p className="break-words">
          <span className="font-medium">{kindOf(entry)}</span>
          {subject && !isAboutInvitation(kind) && (
            <>
              {" · "}
              {isAboutGroup(kind) ? <Group id={subject.id} groups={entry.groups} /> : <Party party={subject} />}
            </>
          )}
        </p>
        {changesOf(entry).map((change) => (
          <p key={change} className="mt-0.5 break-words text-muted">
            {change}
          </p>
        ))}
        <p className="mt-0.5 text-muted">
          {t("audit.by", { actor: actor ? (actor.username ?? t("audit.gone")) : t("audit.server") })}
        </p>
      </div>
      <div className="flex shrink-0 flex-col items-end gap-x-4 gap-y-1 text-muted text-sm tabular-nums sm:flex-row-reverse sm:items-baseline">
        <TimeAgo at={at} sentence={(time) => time} />
        {onUndo && (
          <Button
            variant="quiet"
            size="small"
            className="-me-3 sm:-my-1.5 sm:me-0"
            busy={isBusy}
            aria-disabled={isBusy || undefined}
            aria-describedby={auditLineId(seq)}
            onClick={onUndo}
          >
            {t(isBusy ? "audit.undoing" : "audit.undo")}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Whether the subject of a record is an invitation, which has no name. */
const isAboutInvitation = (kind: string) => kind === "invitation-created" || kind === "invitation-revoked";

/** Whether the subject of a record is a group; else it is an account. */
const isAboutGroup = (kind: string) => kind.startsWith("group-") && kind !== "group-assigned";

function Group({ id, groups }: { id: string; groups: readonly NamedGroup[] }) {
  const { t } = useTranslation("administration");
  const name = groups.find((group) => group.id === id)?.name;
  return name === undefined ? <span className="text-muted">{t("audit.goneGroup")}</span> : <bdi>{name}</bdi>;
}

function Party({ party: { id, username } }: { party: NonNullable<AuditEntry["subject"]> }) {
  const { t } = useTranslation("administration");
  const { state }: { state: unknown } = useLocation();
  if (username === undefined) return <span className="text-muted">{t("audit.gone")}</span>;
  return (
    <Link to={`/administration/people/${id}`} state={state} className={cx(textLink, "break-words")}>
      <bdi>{username}</bdi>
    </Link>
  );
}
