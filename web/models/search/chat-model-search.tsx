import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models/models.ts";
import { type ModelChoice, useModelChoice } from "../model-choice.ts";
import ModelSearchMenu from "./model-search-menu.tsx";

type ChatModelSearchProps = { choice: ModelChoice; trigger: ReactElement; isByKey: boolean };

/** The long list of models of a chat: automatic choice and the models of all connections. */
export default function ChatModelSearch({ choice, trigger }: ChatModelSearchProps) {
  const { t } = useTranslation("chat");
  const { groups, value } = useModelChoice(choice);
  return (
    <ModelSearchMenu
      label={t("model.label")}
      groups={groups}
      first={{ value: AUTO_MODEL, label: t("model.auto"), hint: t("model.autoHint") }}
      value={value}
      ownModels={choice.ownModels}
      onChoose={(model) => choice.choose(model)}
      trigger={trigger}
    />
  );
}
