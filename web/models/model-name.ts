import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models.ts";
import { type ModelChoice, useModelChoice } from "./model-choice.ts";

/** Returns the name of a model for display: its label, or its name at the provider if it is not listed any more. */
export function useModelName(choice: ModelChoice, value: string): string {
  const { t } = useTranslation("chat");
  const { groups } = useModelChoice(choice);
  if (value === AUTO_MODEL) return t("model.auto");
  if (value.startsWith("DEMO:")) return t("model.demo");
  const listed = groups.flatMap(({ models }) => models).find((model) => model.value === value);
  return listed?.label ?? value.slice(value.indexOf(":") + 1);
}
