import { SlidersHorizontal } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PRESETS_MAX } from "#contract/limits.ts";
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from "../ui/components/menu.tsx";
import { altWith } from "../ui/keys/key-names.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";
import { useGoToSettings } from "../ui/use-go-to-settings.ts";
import type { PresetSession } from "./preset-choice.ts";
import { ToolButton } from "./tool-button.tsx";
import { usePreset } from "./use-preset.ts";
import { usePresetKeys } from "./use-preset-keys.ts";

const newPresetModule = lazyModule(() => import("./new-preset-dialog.tsx"));

/** Menu of presets for the chat, with shortcuts, the form of a new preset, and a link to the settings. */
export function PresetMenu({ session }: { session: PresetSession }) {
  const { t } = useTranslation("presets");
  const goToSettings = useGoToSettings();
  const { presets, chosen, choose } = usePreset(session);
  const isMakingNext = useRef(false);
  const [isMaking, setMaking] = useState(false);
  const stopMaking = () => setMaking(false);
  const dialog = useLazyModule(newPresetModule, isMaking, stopMaking);
  const spoken = usePresetKeys(presets, choose);
  return (
    <>
      <Menu modal={false}>
        <MenuTrigger asChild>
          <ToolButton
            label={chosen ? t("menu.named", { name: chosen.name }) : t("menu.label")}
            icon={SlidersHorizontal}
            isChosen={chosen !== undefined}
          >
            {chosen?.name ?? t("menu.label")}
          </ToolButton>
        </MenuTrigger>
        <MenuContent
          align="start"
          side="top"
          aria-label={t("menu.label")}
          onCloseAutoFocus={() => {
            // The button gets the focus first, so that the dialog returns it there.
            if (isMakingNext.current) setTimeout(() => setMaking(true));
            isMakingNext.current = false;
          }}
        >
          {presets.length > 0 ? (
            <MenuRadioGroup value={chosen?.id ?? ""} onValueChange={(id) => choose(id || null)}>
              <PresetItem id="" name={t("menu.none")} ordinal={0} />
              {presets.map(({ id, name }, index) => (
                <PresetItem key={id} id={id} name={name} ordinal={index + 1} />
              ))}
            </MenuRadioGroup>
          ) : (
            <MenuLabel className="max-w-64 text-pretty font-normal leading-text">{t("menu.empty")}</MenuLabel>
          )}
          <MenuSeparator />
          {presets.length < PRESETS_MAX && (
            <MenuItem
              onSelect={() => {
                isMakingNext.current = true;
              }}
            >
              {t("menu.make")}
            </MenuItem>
          )}
          {presets.length > 0 && <MenuItem onSelect={() => goToSettings("chat")}>{t("menu.manage")}</MenuItem>}
        </MenuContent>
      </Menu>
      {isMaking && dialog && <dialog.default session={session} onClose={stopMaking} />}
      <p aria-live="polite" className="sr-only">
        {spoken}
      </p>
    </>
  );
}

/** `ordinal`: the digit of its shortcut, up to 9; further presets have none. */
function PresetItem({ id, name, ordinal }: { id: string; name: string; ordinal: number }) {
  const hasKey = ordinal <= 9;
  return (
    <MenuRadioItem value={id} {...(hasKey && { "aria-keyshortcuts": `Alt+${ordinal}` })}>
      <span dir="auto" className="own-way min-w-0 flex-1 truncate">
        {name}
      </span>
      {hasKey && (
        <span aria-hidden="true" className="ms-4 text-muted text-xs tabular-nums pointer-coarse:hidden">
          {altWith(ordinal)}
        </span>
      )}
    </MenuRadioItem>
  );
}
