import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { AuditEntry } from "#contract/administration.ts";
import { type AuditKind, auditKinds } from "#contract/audit.ts";
import { accountRoles } from "#contract/roles.ts";
import { TimeAgo } from "../../settings/time-ago.tsx";
import { cx } from "../../ui/components/cx.ts";
import { textLink } from "../../ui/components/text-link.ts";

/** Returns the element id of a line, which can be focused. */
export const auditLineId = (seq: number) => `record-${seq}`;

const fields = ["role", "quotaMb", "budgetUsd"] as const;
const isKnown = (kind: string): kind is AuditKind => auditKinds.some((each) => each === kind);

/** One record: what happened, about whom, by whom, and the values that changed. */
export function AuditLine({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("administration");
  const { seq, at, kind, actor, subject } = entry;
  return (
    <li id={auditLineId(seq)} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="break-words">
          <span className="font-medium">{isKnown(kind) ? t(`audit.kinds.${kind}`) : t("audit.otherKind")}</span>
          {subject && (
            <>
              {" · "}
              <Party party={subject} />
            </>
          )}
        </p>
        <Changes entry={entry} />
        <p className="mt-0.5 text-muted">
          {t("audit.by", { actor: actor ? (actor.username ?? t("audit.gone")) : t("audit.server") })}
        </p>
      </div>
      <p className="shrink-0 text-muted text-sm tabular-nums">
        <TimeAgo at={at} sentence={(time) => time} />
      </p>
    </li>
  );
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

function Changes({ entry: { before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation("administration");
  const wordOf = (value: unknown) => {
    const role = accountRoles.find((each) => each === value);
    if (role) return t(`roles.${role}`);
    return value === null || value === undefined ? t("audit.none") : String(value);
  };
  const changed = fields.filter((field) => before?.[field] !== after?.[field]);
  return changed.map((field) => (
    <p key={field} className="mt-0.5 break-words text-muted">
      {t("audit.change", {
        field: t(`audit.field.${field}`),
        before: wordOf(before?.[field]),
        after: wordOf(after?.[field]),
      })}
    </p>
  ));
}
