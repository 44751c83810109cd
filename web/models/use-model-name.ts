import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models/models.ts";
import type { ReadableStore } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import type { ModelChoiceState } from "./model-choice.ts";
import { nameOfModel } from "./model-name.ts";

/** The models whose names are known: a `ModelChoice`, or a list without a choice. */
export type NamedModels = { readonly state: ReadableStore<Pick<ModelChoiceState, "groups">> };

/** Returns the name of a model for display, also of automatic choice and of the demo assistant. */
export function useModelName(models: NamedModels, value: string): string {
  const { t } = useTranslation("chat");
  const { groups } = useStore(models.state);
  if (value === AUTO_MODEL) return t("model.auto");
  if (value.startsWith("DEMO:")) return t("model.demo");
  return nameOfModel(groups, value);
}
