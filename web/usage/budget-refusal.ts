import { budgetProblemSchema } from "#contract/models/budgets.ts";
import { parseJson } from "../api/api-error.ts";
import { centsText } from "../locales/cost-text.ts";
import usage from "../locales/en/usage.json";
import { i18n, registerTexts } from "../locales/i18n.ts";
import { exactTime } from "../locales/times.ts";

registerTexts("usage", usage);

/**
 * Returns the sentence for a call that a budget refuses: whose budget it is, its amount if the person may see it, and
 * when its next month begins. Null for a body that does not say so.
 * @param body of the response with the code `budget-reached`
 */
export function wordBudgetRefusal(body: string): string | null {
  const problem = budgetProblemSchema.safeParse(parseJson(body));
  if (!problem.success) return null;
  const { scope, limit, until } = problem.data;
  const { language } = i18n;
  const time = exactTime(until, language);
  if (scope !== "account") return i18n.t(`refusal.${scope}`, { ns: "usage", time });
  return limit === undefined
    ? null
    : i18n.t("refusal.account", { ns: "usage", limit: centsText(limit, language), time });
}
