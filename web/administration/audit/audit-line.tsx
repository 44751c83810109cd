import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import type { AuditEntry } from "#contract/administration/administration.ts";
import { TimeAgo } from "../../page/time-ago.tsx";
import { useRecordWords } from "../../settings/activity/use-record-words.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { isAboutGroup, isAboutInvitation, type NamedEntry } from "./acts.ts";
import type { Undo } from "./use-undo.ts";

/** Returns the element id of a line, which can be focused. */
export const auditLineId = (seq: number) => `record-${seq}`;

type AuditLineProps = {
  /** Records of one act, at least one. */
  act: readonly NamedEntry[];
  undo: Undo;
};

/** One act: what happened, about whom, by whom, and the values that changed. */
export function AuditLine({ act, undo }: AuditLineProps) {
  const { t } = useTranslation("administration");
  const { kindOf, changesOf } = useRecordWords();
  const [entry] = act;
  if (!entry) return null;
  const { seq, at, actor } = entry;
  const isOfSeveral = act.length > 1;
  return (
    <li id={auditLineId(seq)} tabIndex={-1} className="px-4 py-3 text-sm sm:px-5">
      <div className="flex items-baseline gap-x-4">
        <div className="min-w-0 flex-1">
          <p className="break-words">
            <span className="font-medium">{kindOf(entry)}</span>
            {isOfSeveral ? ` · ${t("audit.people", { count: act.length })}` : <Subject entry={entry} />}
          </p>
          {changesOf(entry).map((change) => (
            <p key={change} className="mt-0.5 whitespace-pre-line break-words text-muted">
              {change}
            </p>
          ))}
          <p className="mt-0.5 text-muted">
            {t("audit.by", { actor: actor ? (actor.username ?? t("audit.gone")) : t("audit.server") })}
          </p>
        </div>
        <div className="flex shrink-0 flex-col items-end gap-x-4 gap-y-1 text-muted tabular-nums sm:flex-row-reverse sm:items-baseline">
          <TimeAgo at={at} sentence={(time) => time} />
          {!isOfSeveral && <UndoButton entry={entry} undo={undo} describedBy={auditLineId(seq)} />}
        </div>
      </div>
      {isOfSeveral && (
        <details className="mt-0.5">
          <summary className="w-fit cursor-pointer rounded-control py-1 text-muted">{t("audit.who")}</summary>
          <ul className="mt-1">
            {act.map((each) => (
              <li key={each.seq} className="flex min-h-9 items-center justify-between gap-4 pointer-coarse:min-h-11">
                <span id={`${auditLineId(each.seq)}-of`} className="min-w-0">
                  {each.subject && <Party party={each.subject} />}
                </span>
                <UndoButton entry={each} undo={undo} describedBy={`${auditLineId(each.seq)}-of`} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

/** Undoes the change of a record; empty if that is not possible. */
function UndoButton({ entry, undo, describedBy }: { entry: NamedEntry; undo: Undo; describedBy: string }) {
  const { t } = useTranslation("administration");
  if (!undo.isUndoable(entry)) return null;
  const isBusy = undo.busy === entry.seq;
  return (
    <Button
      variant="quiet"
      size="small"
      className="-me-3 sm:-my-1.5 sm:me-0"
      busy={isBusy}
      aria-disabled={isBusy || undefined}
      aria-describedby={describedBy}
      onClick={() => undo.undo(entry)}
    >
      {t(isBusy ? "audit.undoing" : "audit.undo")}
    </Button>
  );
}

/** The object of a record: an account, a group, or an invitation. */
function Subject({ entry }: { entry: NamedEntry }) {
  const { t } = useTranslation("administration");
  const { subject, groups, invitations } = entry;
  if (!subject) return null;
  if (isAboutGroup(entry)) {
    const name = groups.find(({ id }) => id === subject.id)?.name;
    return <> · {name === undefined ? <Gone>{t("audit.goneGroup")}</Gone> : <bdi>{name}</bdi>}</>;
  }
  if (!isAboutInvitation(entry)) {
    return (
      <>
        {" · "}
        <Party party={subject} />
      </>
    );
  }
  const invitation = invitations.find(({ id }) => id === subject.id);
  if (!invitation) return null;
  const { address, usesMax: count } = invitation;
  return <> · {address === undefined ? t("audit.people", { count }) : <bdi>{address}</bdi>}</>;
}

const Gone = ({ children }: { children: string }) => <span className="text-muted">{children}</span>;

function Party({ party: { id, username } }: { party: NonNullable<AuditEntry["subject"]> }) {
  const { t } = useTranslation("administration");
  const { state }: { state: unknown } = useLocation();
  if (username === undefined) return <Gone>{t("audit.gone")}</Gone>;
  return (
    <Link to={`/administration/people/${id}`} state={state} className={cx(textLink, "break-words")}>
      <bdi>{username}</bdi>
    </Link>
  );
}
