import { Settings2 } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL, type ModelOption } from "#contract/models/models.ts";
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
import { stateText, withChosen } from "./listed-models.ts";
import { type ModelChoice, useModelChoice } from "./model-choice.ts";
import { isDemo } from "./model-name.ts";

/** Menu of automatic choice and the server's models, by group; models that cannot be used now are marked. */
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
  const noteOf = (model: Parameters<typeof stateText>[0] & Pick<ModelOption, "default">) =>
    stateText(model) ?? (model.default ? t("modelMenu:groupDefault") : null);
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
        {withChosen(groups, value).map(({ label, models }) => (
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
