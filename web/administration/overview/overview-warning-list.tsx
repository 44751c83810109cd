import { useTranslation } from "react-i18next";
import { type Overview, overviewWarnings } from "#contract/administration/overview.ts";
import { spentShare } from "#contract/models/budgets.ts";
import { sizeText } from "../../locales/size-text.ts";
import { exactTime } from "../../locales/times.ts";
import { Banner } from "../../ui/notifications/banner.tsx";
import { percentText } from "../../usage/budget-line.tsx";

type OverviewWarningListProps = { overview: Pick<Overview, "warnings" | "storage" | "budget" | "groupBudgets"> };

/** A banner for each warning, which says what to do. Warnings that this page does not know are left out. */
export function OverviewWarningList({ overview }: OverviewWarningListProps) {
  const { t } = useTranslation("administration");
  const wordsOf = useWarningWords(overview);
  const known = overviewWarnings.filter((warning) => overview.warnings.includes(warning));
  if (known.length === 0) return null;
  return (
    <section aria-label={t("overview.warningsLabel")} className="mt-6 flex flex-col gap-3">
      {known.map((warning) => (
        <Banner key={warning} tone="warning">
          {wordsOf(warning)}
        </Banner>
      ))}
    </section>
  );
}

function useWarningWords({ storage, budget, groupBudgets }: OverviewWarningListProps["overview"]) {
  const { t, i18n } = useTranslation("administration");
  return (warning: (typeof overviewWarnings)[number]): string => {
    switch (warning) {
      case "disk-nearly-full":
        return t(`overview.warnings.${warning}`, { free: sizeText(storage.diskFree, i18n.language) });
      case "budget-used-up":
        return t(`overview.warnings.${warning}`, { time: budget ? exactTime(budget.resetsAt, i18n.language) : "" });
      case "budget-nearly-used":
        return t(`overview.warnings.${warning}`, {
          percent: percentText(budget ? spentShare(budget) : 1, i18n.language),
        });
      case "group-budgets-used-up":
        return t(`overview.warnings.${warning}`, { count: groupBudgets.usedUp });
      case "group-budgets-nearly-used":
        return t(`overview.warnings.${warning}`, { count: groupBudgets.nearlyUsed });
      default:
        return t(`overview.warnings.${warning}`);
    }
  };
}
