import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdministeredAccount } from "#contract/administration/administration.ts";
import { Field } from "../../ui/components/field.tsx";
import { BudgetLine } from "../../usage/budget-line.tsx";
import { enteredBudget } from "../entered-budget.ts";
import { RightsForm } from "./rights-form.tsx";
import { useRightsChange } from "./use-rights-change.ts";

type BudgetFormProps = { account: AdministeredAccount; onChange: (account: AdministeredAccount) => void };

/** Shows the budgets of an account and of its group, and sets its own budget. */
export function BudgetForm({ account, onChange }: BudgetFormProps) {
  const { t } = useTranslation("administration");
  const { save, form } = useRightsChange(account, onChange);
  const [text, setText] = useState(String(account.budgetUsd ?? ""));
  const [isWrong, setWrong] = useState(false);
  const budgetUsd = enteredBudget(text);
  const isChanged = budgetUsd === undefined || budgetUsd !== (account.budgetUsd ?? null);
  const { account: own, group } = account.budgets;
  const submit = () => {
    setWrong(budgetUsd === undefined);
    save(budgetUsd === undefined ? null : { budgetUsd }, t("person.saved"));
  };
  return (
    <>
      <div className="flex flex-col gap-6 p-4 pb-0 sm:p-5 sm:pb-0">
        {own && <BudgetLine name={t("person.budgetOwn")} budget={own} />}
        {group && <BudgetLine name={t("person.budgetGroup")} budget={group} />}
        {!own && !group && <p className="text-muted text-sm">{t("person.budgetNone")}</p>}
      </div>
      <RightsForm isChanged={isChanged} {...form} onSave={submit}>
        <Field
          label={t("person.budget")}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          error={isWrong && budgetUsd === undefined ? t("person.budgetWrong") : undefined}
          onChange={(event) => setText(event.target.value)}
          className="min-w-48 flex-1"
        />
      </RightsForm>
    </>
  );
}
