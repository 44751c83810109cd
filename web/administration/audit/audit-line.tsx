import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { AuditEntry } from "#contract/administration.ts";
import { useRecordWords } from "../../settings/activity/use-record-words.ts";
import { TimeAgo } from "../../settings/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { textLink } from "../../ui/components/text-link.ts";

/** Returns the element id of a line, which can be focused. */
export const auditLineId = (seq: number) => `record-${seq}`;

type AuditLineProps = {
  entry: AuditEntry;
  /** Undoes the change; absent if that is not possible. */
  onUndo?: (() => void) | undefined;
  isBusy: boolean;
};

/** One record: what happened, about whom, by whom, and the values that changed. */
export function AuditLine({ entry, onUndo, isBusy }: AuditLineProps) {
  const { t } = useTranslation("administration");
  const { kindOf, changesOf } = useRecordWords();
  const { seq, at, actor, subject } = entry;
  return (
    <li id={auditLineId(seq)} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="break-words">
          <span className="font-medium">{kindOf(entry)}</span>
          {subject && (
            <>
              {" · "}
              <Party party={subject} />
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
      {onUndo && (
        <Button
          variant="quiet"
          size="small"
          className="-my-1.5"
          busy={isBusy}
          aria-disabled={isBusy || undefined}
          aria-describedby={auditLineId(seq)}
          onClick={onUndo}
        >
          {t(isBusy ? "audit.undoing" : "audit.undo")}
        </Button>
      )}
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
