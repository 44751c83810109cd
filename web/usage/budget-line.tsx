import { CircleAlert, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import {
  BUDGET_LOW_SHARE,
  BUDGET_USED_UP_SHARE,
  type BudgetShare,
  type BudgetState,
  spentShare,
} from "#contract/models/budgets.ts";
import { centsText } from "../locales/cost-text.ts";
import usage from "../locales/en/usage.json";
import { registerTexts } from "../locales/i18n.ts";
import { exactTime } from "../locales/times.ts";
import { cx } from "../ui/components/cx.ts";

registerTexts("usage", usage);

/** Smallest amount that is shown. */
const CENT_USD = 0.01;

type BudgetLineProps = { name: string; budget: BudgetState | BudgetShare };

const tones = {
  fine: {
    Icon: null,
    text: "text-muted",
    bar: "[&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent",
  },
  low: {
    Icon: TriangleAlert,
    text: "text-warning",
    bar: "[&::-webkit-progress-value]:bg-warning [&::-moz-progress-bar]:bg-warning",
  },
  usedUp: {
    Icon: CircleAlert,
    text: "text-danger",
    bar: "[&::-webkit-progress-value]:bg-danger [&::-moz-progress-bar]:bg-danger",
  },
};

function toneOf(share: number): keyof typeof tones {
  if (share >= BUDGET_USED_UP_SHARE) return "usedUp";
  return share >= BUDGET_LOW_SHARE ? "low" : "fine";
}

/** Formats a share of a budget, rounded down: a budget that is not used up is never shown with 100 %. */
export const percentText = (share: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: "percent" }).format(Math.floor(100 * share) / 100);

/** State of a budget in this month: what is spent, a bar, and when its next month begins. */
export function BudgetLine({ name, budget }: BudgetLineProps) {
  const { t, i18n } = useTranslation("usage");
  const id = useId();
  const share = "percent" in budget ? budget.percent / 100 : spentShare(budget);
  const tone = toneOf(share);
  const { Icon, text, bar } = tones[tone];
  const amount = (usd: number) => centsText(usd, i18n.language);
  const reserved = "reserved" in budget ? budget.reserved : 0;
  const hasReserved = reserved >= CENT_USD / 2;
  return (
    <div className="min-w-0 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span id={id} className="font-medium">
          {name}
        </span>
        <span className="tabular-nums">
          {"limit" in budget
            ? t("budget.of", { spent: amount(budget.spent), limit: amount(budget.limit) })
            : percentText(share, i18n.language)}
        </span>
      </p>
      <progress
        aria-labelledby={id}
        max={1}
        value={share}
        className={cx(
          "mt-2 block h-2 w-full appearance-none overflow-hidden rounded-full border border-outline bg-page",
          "[&::-webkit-progress-bar]:bg-page forced-colors:appearance-auto",
          bar,
        )}
      />
      <p className={cx("mt-2 flex items-start gap-1.5 leading-text", text)}>
        {Icon && <Icon aria-hidden="true" className="mt-[0.2em] size-4 shrink-0" />}
        <span className="min-w-0">
          {t(`budget.${tone}`, { time: exactTime(budget.resetsAt, i18n.language) })}
          {hasReserved && ` ${t("budget.reserved", { amount: amount(reserved) })}`}
        </span>
      </p>
    </div>
  );
}
