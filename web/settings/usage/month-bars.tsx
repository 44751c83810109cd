import { useTranslation } from "react-i18next";
import type { MonthUsage } from "#contract/models/usage.ts";
import { costText } from "../../locales/cost-text.ts";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { monthText } from "../../usage/usage-words.ts";

type MonthBarsProps = { months: readonly MonthUsage[]; shown: string; onShow: (month: string) => void };

/** Minimum height of the bar of a month with any usage, in percent. */
const LEAST = 4;

/** Bar chart of the months, oldest first; one can be selected. By cost, or by tokens if no month has a cost. */
export function MonthBars({ months, shown, onShow }: MonthBarsProps) {
  const { t, i18n } = useTranslation("usage");
  const hasCosts = months.some(({ cost }) => cost !== null && cost > 0);
  const sizeOf = (month: MonthUsage) => (hasCosts ? (month.cost ?? 0) : month.inputTokens + month.outputTokens);
  const most = Math.max(...months.map(sizeOf));
  return (
    <fieldset
      className={cx(
        "flex items-stretch gap-0.5 border-hairline border-b sm:gap-1",
        months.some(({ calls }) => calls > 0) && "h-40",
      )}
    >
      <legend className="sr-only">{t("months")}</legend>
      {months.toReversed().map((each) => {
        const { month, calls, cost } = each;
        const isShown = month === shown;
        const share = most === 0 ? 0 : (100 * sizeOf(each)) / most;
        const name = monthText(month, i18n.language);
        return (
          <button
            key={month}
            type="button"
            aria-pressed={isShown}
            {...tooltip(name)}
            className="group relative flex min-w-0 flex-1 flex-col justify-end gap-1.5 rounded-t-control px-0.5 pt-1 transition-colors hover:bg-hover sm:px-1"
            onClick={() => onShow(month)}
          >
            <span className="sr-only">
              {t("monthLabel", { month: name, count: calls, cost: costText(cost, false, i18n.language) })}
            </span>
            <span className="flex min-h-0 flex-1 items-end">
              <span
                className={cx(
                  "w-full rounded-t-sm transition-colors forced-colors:bg-[CanvasText]",
                  isShown ? "bg-accent" : "bg-outline/45 group-hover:bg-outline/70",
                )}
                style={{ height: calls === 0 ? 0 : `${Math.max(share, LEAST)}%` }}
              />
            </span>
            <span
              aria-hidden="true"
              className={cx(
                "flex justify-center whitespace-nowrap border-b-2 pb-1.5 text-xs",
                isShown ? "border-accent font-medium text-ink" : "border-transparent text-muted",
              )}
            >
              <span className="max-sm:hidden">{monthText(month, i18n.language, "short")}</span>
              <span className="sm:hidden">{monthText(month, i18n.language, "narrow")}</span>
            </span>
          </button>
        );
      })}
    </fieldset>
  );
}
