import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models/models.ts";
import { type ModelChoice, useModelChoice } from "./model-choice.ts";
import { nameOfModel } from "./model-name.ts";

/** Returns the name of a model for display, also of automatic choice and of the demo assistant. */
export function useModelName(choice: ModelChoice, value: string): string {
  const { t } = useTranslation("chat");
  const { groups } = useModelChoice(choice);
  if (value === AUTO_MODEL) return t("model.auto");
  if (value.startsWith("DEMO:")) return t("model.demo");
  return nameOfModel(groups, value);
}
