import { useTranslation } from "react-i18next";
import type { OwnBudgets } from "#contract/models/budgets.ts";
import { BudgetLine } from "../../usage/budget-line.tsx";

/** Budgets of the account and of its group; nothing without them. */
export function OwnBudgetsSection({ budgets: { account, group } }: { budgets: OwnBudgets }) {
  const { t } = useTranslation("usage");
  if (!account && !group) return null;
  return (
    <section
      aria-label={t("budget.title")}
      className="mb-8 flex flex-col gap-6 rounded-surface border border-hairline bg-raised p-4 sm:p-5"
    >
      {account && <BudgetLine name={t("budget.own")} budget={account} />}
      {group && <BudgetLine name={t("budget.group")} budget={group} />}
    </section>
  );
}
