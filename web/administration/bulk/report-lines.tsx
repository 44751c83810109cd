import { Check, CircleMinus, Clock, type LucideIcon, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "../../ui/components/cx.ts";
import type { LineState, ReportedLine } from "./use-bulk-invitations.ts";

/** Lines that are shown; the file of the report has all. */
const SHOWN = 500;

const stateIcons: Partial<Record<LineState, { Icon: LucideIcon; tone: string }>> = {
  invited: { Icon: Check, tone: "text-success" },
  unsent: { Icon: Clock, tone: "text-muted" },
  revoked: { Icon: CircleMinus, tone: "text-muted" },
  "already-invited": { Icon: CircleMinus, tone: "text-muted" },
};
const problem = { Icon: TriangleAlert, tone: "text-warning" };

/** The lines of a list with their results. */
export function ReportLines({ lines }: { lines: readonly ReportedLine[] }) {
  const { t } = useTranslation("bulk");
  return (
    <div>
      <section
        aria-label={t("lines")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll a region only if it has the focus
        tabIndex={0}
        className="max-h-96 overflow-y-auto rounded-control border border-hairline"
      >
        <ol className="divide-y divide-hairline text-sm">
          {lines.slice(0, SHOWN).map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list keeps its order, and an item has no state
            <ReportItem key={index} line={line} />
          ))}
        </ol>
      </section>
      {lines.length > SHOWN && <p className="mt-1 text-muted text-sm">{t("more", { count: lines.length - SHOWN })}</p>}
    </div>
  );
}

function ReportItem({ line: { line, address, note, state } }: { line: ReportedLine }) {
  const { t } = useTranslation("bulk");
  const { Icon, tone } = stateIcons[state] ?? problem;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-3 py-2 leading-text sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)]">
      <span className="pt-0.5 text-muted text-xs tabular-nums">{t("line", { line })}</span>
      <span className="min-w-0">
        <bdi className="[overflow-wrap:anywhere]">{address}</bdi>
        {note !== "" && (
          <span dir="auto" className="own-way block text-muted text-xs [overflow-wrap:anywhere]">
            {note}
          </span>
        )}
      </span>
      <span className="col-start-2 flex items-start gap-1.5 sm:col-start-3">
        <Icon aria-hidden="true" className={cx("mt-1 size-3.5 shrink-0", tone)} />
        {t(`results.${state}`)}
      </span>
    </li>
  );
}
