import { useTranslation } from "react-i18next";
import { Field } from "../../ui/components/fields/field.tsx";
import { BudgetLine } from "../../usage/budget-line.tsx";
import { enteredBudget } from "../entered-budget.ts";
import { RightsForm } from "./rights-form.tsx";
import { type RightsProps, useRightsForm } from "./use-rights-form.ts";

/** Shows the budgets of an account and of its group, and sets its own budget. */
export function BudgetForm(props: RightsProps) {
  const { t } = useTranslation("administration");
  const { budgets, budgetUsd: current = null } = props.account;
  const { value, setValue, isWrong, form } = useRightsForm(props, {
    current: String(current ?? ""),
    toChange: (text) => {
      const budgetUsd = enteredBudget(text);
      if (budgetUsd === undefined) return undefined;
      return budgetUsd === current ? null : { budgetUsd };
    },
    saved: t("person.saved"),
  });
  const { account: own, group } = budgets;
  return (
    <>
      <div className="flex flex-col gap-6 p-4 pb-0 sm:p-5 sm:pb-0">
        {own && <BudgetLine name={t("person.budgetOwn")} budget={own} />}
        {group && <BudgetLine name={t("person.budgetGroup")} budget={group} />}
        {!own && !group && <p className="text-muted text-sm">{t("person.budgetNone")}</p>}
      </div>
      <RightsForm {...form}>
        <Field
          label={t("person.budget")}
          inputMode="decimal"
          autoComplete="off"
          value={value}
          error={isWrong ? t("person.budgetWrong") : undefined}
          onChange={(event) => setValue(event.target.value)}
          className="min-w-48 flex-1"
        />
      </RightsForm>
    </>
  );
}
