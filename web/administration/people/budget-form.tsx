import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AdministeredAccount } from "#contract/administration.ts";
import { useAction } from "../../settings/form/use-action.ts";
import { withProof } from "../../settings/proof/proof.ts";
import { Field } from "../../ui/components/field.tsx";
import { BudgetLine } from "../../usage/budget-line.tsx";
import { administrationApi } from "../administration-api.ts";
import { enteredBudget } from "../entered-budget.ts";
import { RightsForm } from "./rights-form.tsx";

type BudgetFormProps = { account: AdministeredAccount; onChange: (account: AdministeredAccount) => void };

/** Shows the budgets of an account and of its group, and sets its own budget. */
export function BudgetForm({ account, onChange }: BudgetFormProps) {
  const { t } = useTranslation("administration");
  const { run, busy, failure } = useAction<"budget">();
  const [text, setText] = useState(String(account.budgetUsd ?? ""));
  const [isWrong, setWrong] = useState(false);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const budgetUsd = enteredBudget(text);
  const isChanged = budgetUsd === undefined || budgetUsd !== (account.budgetUsd ?? null);
  const { account: own, group } = account.budgets;
  const save = () =>
    run("budget", async () => {
      setConfirmation(null);
      setWrong(budgetUsd === undefined);
      if (budgetUsd === undefined) return;
      onChange(await withProof(() => administrationApi.changeAccount(account.id, { budgetUsd })));
      setConfirmation(t("person.saved"));
    });
  return (
    <>
      <div className="flex flex-col gap-6 p-4 pb-0 sm:p-5 sm:pb-0">
        {own && <BudgetLine name={t("person.budgetOwn")} budget={own} />}
        {group && <BudgetLine name={t("person.budgetGroup")} budget={group} />}
        {!own && !group && <p className="text-muted text-sm">{t("person.budgetNone")}</p>}
      </div>
      <RightsForm
        isChanged={isChanged}
        isBusy={busy !== null}
        failure={failure}
        confirmation={confirmation}
        onSave={() => void save()}
      >
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
