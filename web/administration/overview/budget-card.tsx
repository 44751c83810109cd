import { useTranslation } from "react-i18next";
import type { BudgetState } from "#contract/models/budgets.ts";
import { BudgetLine } from "../../usage/budget-line.tsx";

/** Card of the installation's budget, as wide as all other cards together. */
export function BudgetCard({ budget }: { budget: BudgetState }) {
  const { t } = useTranslation("administration");
  const title = t("overview.budget");
  return (
    <section
      aria-label={title}
      className="col-span-full min-w-0 rounded-surface border border-hairline bg-raised p-4 sm:p-5"
    >
      <BudgetLine name={title} budget={budget} />
    </section>
  );
}
