import { Settings2 } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL, type ModelOption } from "#contract/models.ts";
import modelMenu from "../locales/en/modelMenu.json";
import { registerTexts } from "../locales/i18n.ts";
import {
  MenuGroup,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
} from "../ui/components/menu.tsx";
import { OpenedMenu } from "../ui/lazy/opened-menu.tsx";
import { useGoToSettings } from "../ui/use-go-to-settings.ts";
import { isDemo, type ModelChoice, useModelChoice } from "./model-choice.ts";

registerTexts("modelMenu", modelMenu);

/** Menu of automatic choice and the server's models, by group; models without an API key are marked. */
export default function ModelOptions({
  choice,
  ...menu
}: {
  choice: ModelChoice;
  trigger: ReactElement;
  isByKey: boolean;
}) {
  const { t } = useTranslation(["chat", "modelMenu"]);
  const { groups, value } = useModelChoice(choice);
  const goToSettings = useGoToSettings();
  const noteOf = (model: ModelOption) => {
    if (!model.available) return t("model.unavailable");
    return model.default ? t("modelMenu:groupDefault") : null;
  };
  return (
    <OpenedMenu {...menu} align="start" side="top" aria-label={t("model.label")}>
      {isDemo(groups) && (
        <MenuGroup>
          <MenuLabel>{t("model.none")}</MenuLabel>
          <MenuItem icon={<Settings2 aria-hidden="true" />} onSelect={() => goToSettings("models")}>
            {t("model.setUp")}
          </MenuItem>
          <MenuSeparator />
        </MenuGroup>
      )}
      <MenuRadioGroup value={value} onValueChange={(model) => choice.choose(model)}>
        <MenuRadioItem value={AUTO_MODEL}>
          <ModelName name={t("model.auto")} note={t("model.autoHint")} />
        </MenuRadioItem>
        {groups.map(({ label, models }) => (
          <MenuGroup key={label}>
            <MenuLabel>{label}</MenuLabel>
            {models.map((model) => (
              <MenuRadioItem key={model.value} value={model.value} className={model.available ? "" : "text-muted"}>
                <ModelName name={model.label} note={noteOf(model)} />
              </MenuRadioItem>
            ))}
          </MenuGroup>
        ))}
      </MenuRadioGroup>
    </OpenedMenu>
  );
}

function ModelName({ name, note }: { name: string; note: string | null }) {
  return (
    <span className="flex min-w-0 flex-1 flex-col">
      <bdi className="own-way">{name}</bdi>
      {note !== null && <span className="text-muted text-xs">{note}</span>}
    </span>
  );
}
