import { Gauge } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type Effort, effortSchema } from "#contract/effort.ts";
import { AUTO_MODEL } from "#contract/models.ts";
import { useChatsSelector } from "../chats/state/chats-store.ts";
import { useModelChoice } from "../models/model-choice.ts";
import { useModelName } from "../models/use-model-name.ts";
import { Menu, MenuContent, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuTrigger } from "../ui/components/menu.tsx";
import { chooseEffort, type EffortChoice, effortChoiceOf } from "./effort-choice.ts";
import { type PresetSession, selectEffort, selectPresetId } from "./preset-choice.ts";
import { usePresetList } from "./preset-list.ts";
import { ToolButton } from "./tool-button.tsx";

/** Menu of the efforts of reasoning for the chat; nothing if its model has none. The button names a chosen effort. */
export function EffortMenu({ session }: { session: PresetSession }) {
  const { t } = useTranslation("presets");
  const noteId = useId();
  const choice = useEffortChoice(session);
  const note = useNote(session, choice);
  const { levels, own, ofPreset, used } = choice;
  if (levels.length === 0) return null;
  const name = used === undefined ? t("effort.default") : t(`effort.${used}`);
  const label = t("effort.named", { name });
  const hint =
    ofPreset === undefined ? t("effort.modelHint") : t("effort.presetHint", { name: t(`effort.${ofPreset}`) });
  return (
    <>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <ToolButton label={label} icon={Gauge} isChosen={used !== undefined}>
            {used !== undefined && name}
          </ToolButton>
        </MenuTrigger>
        <MenuContent
          align="start"
          side="top"
          aria-label={t("effort.label")}
          {...(note !== null && { "aria-describedby": noteId })}
        >
          <MenuLabel>{t("effort.label")}</MenuLabel>
          <MenuRadioGroup
            value={own === null ? "" : (used ?? "")}
            onValueChange={(to) => chooseEffort(session, toEffort(to))}
          >
            <MenuRadioItem value="">
              <span className="flex min-w-0 flex-1 flex-col">
                {t("effort.default")}
                <span className="text-muted text-xs">{hint}</span>
              </span>
            </MenuRadioItem>
            {levels.map((level) => (
              <MenuRadioItem key={level} value={level}>
                {t(`effort.${level}`)}
              </MenuRadioItem>
            ))}
          </MenuRadioGroup>
          {note !== null && (
            <MenuLabel id={noteId} className="max-w-64 text-pretty font-normal leading-text">
              {note}
            </MenuLabel>
          )}
        </MenuContent>
      </Menu>
      <p aria-live="polite" className="sr-only">
        {note}
      </p>
    </>
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

/** Returns a note if the model lacks the wanted effort; else null. */
function useNote({ modelChoice }: PresetSession, { wanted, used }: EffortChoice): string | null {
  const { t } = useTranslation("presets");
  const { value } = useModelChoice(modelChoice);
  const model = useModelName(modelChoice, value);
  if (wanted === undefined || used === undefined || wanted === used) return null;
  const names = { wanted: t(`effort.${wanted}`), used: t(`effort.${used}`) };
  return value === AUTO_MODEL ? t("effort.nearestOfAny", names) : t("effort.nearest", { model, ...names });
}

function toEffort(value: string): Effort | null {
  return effortSchema.safeParse(value).data ?? null;
}
