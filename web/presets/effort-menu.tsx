import { Gauge } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useChatsSelector } from "../chats/state/chats-store.ts";
import { useModelChoice } from "../models/model-choice.ts";
import { Menu, MenuContent, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuTrigger } from "../ui/components/menu.tsx";
import { chooseTier, type EffortChoice, effortChoiceOf, effortTiers, type TierChoice } from "./effort-choice.ts";
import { type PresetSession, selectEffort, selectPresetId } from "./preset-choice.ts";
import { usePresetList } from "./preset-list.ts";
import { ToolButton } from "./tool-button.tsx";

/** Menu of the efforts of reasoning for the chat; nothing if its model has none. The button names a chosen effort. */
export function EffortMenu({ session }: { session: PresetSession }) {
  const { t } = useTranslation("presets");
  const { isOffered, wanted, tier, choices } = useEffortChoice(session);
  const chosen = choices.find((choice) => choice.tier === tier);
  if (!isOffered || !chosen) return null;
  const name = t(`effort.${chosen.name}`);
  const hasPreset = choices.length > effortTiers.length;
  const hintOf = (choice: TierChoice) => {
    if (choice === "preset") return t("effort.fromPreset");
    // Beside the effort of a preset, "standard" is not the model's own.
    return choice === "standard" && hasPreset ? null : t(`effort.${choice}Hint`);
  };
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <ToolButton label={t("effort.named", { name })} icon={Gauge} isChosen={wanted !== undefined}>
          {wanted !== undefined && name}
        </ToolButton>
      </MenuTrigger>
      <MenuContent align="start" side="top" aria-label={t("effort.label")}>
        <MenuLabel>{t("effort.label")}</MenuLabel>
        <MenuRadioGroup
          value={tier}
          onValueChange={(value) => {
            const next = choices.find((choice) => choice.tier === value);
            if (next) chooseTier(session, next.tier);
          }}
        >
          {choices.map((choice) => (
            <MenuRadioItem key={choice.tier} value={choice.tier}>
              <span className="flex min-w-0 flex-1 flex-col">
                {t(`effort.${choice.name}`)}
                <span className="text-muted text-xs">{hintOf(choice.tier)}</span>
              </span>
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}

/** Subscribes to everything that the effort depends on. */
function useEffortChoice(session: PresetSession): EffortChoice {
  useModelChoice(session.modelChoice);
  usePresetList(session.presets);
  useChatsSelector(selectPresetId);
  useChatsSelector(selectEffort);
  return effortChoiceOf(session);
}
