import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import { useToolName } from "./tool-name.ts";

/** Percentages that screen readers hear. */
const ANNOUNCED_STEP = 25;

/** Longest message (UTF-16 units) of a server that is shown. */
const MESSAGE_MAX = 200;

/** How far a running call is: a bar where its server states a total, and what the server says about it. */
export function CallProgress({ part }: { part: ToolPart }) {
  const { t, i18n } = useTranslation("parts");
  const name = useToolName()(part);
  const { progress } = part;
  if (!progress) return null;
  const numbers = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  const { done, total, message = "" } = progress;
  const share = total !== undefined && total > 0 ? Math.min(1, Math.max(0, done / total)) : null;
  const count =
    total === undefined
      ? numbers.format(done)
      : t("tools.doneOf", { done: numbers.format(done), total: numbers.format(total) });
  const label = t("tools.progress", { name });
  return (
    <div className="mt-1.5 grid max-w-96 grid-cols-1 gap-1 ps-6.5 text-muted text-sm">
      {share !== null && (
        <div
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.floor(share * 100)}
          aria-valuetext={count}
          className="h-1.5 overflow-hidden rounded-full border border-outline bg-sunken"
        >
          <div className="h-full bg-accent forced-colors:bg-[Highlight]" style={{ width: `${share * 100}%` }} />
        </div>
      )}
      <div className="[overflow-wrap:anywhere]">
        <span className="tabular-nums">{count}</span>
        {message !== "" && (
          <>
            {" · "}
            <bdi>{message.slice(0, MESSAGE_MAX)}</bdi>
          </>
        )}
      </div>
      <span role="status" className="sr-only">
        {share !== null && announced(label, share, i18n.language)}
      </span>
    </div>
  );
}

/** Changes only with each quarter, so that a screen reader does not speak at each step. */
function announced(label: string, share: number, language: string): string {
  const quarter = Math.floor((share * 100) / ANNOUNCED_STEP) * ANNOUNCED_STEP;
  if (quarter === 0) return "";
  return `${label}: ${new Intl.NumberFormat(language, { style: "percent" }).format(quarter / 100)}`;
}
