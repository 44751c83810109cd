import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Preset } from "#contract/conversation/presets.ts";
import { isOtherAlt } from "../ui/keys/press.ts";
import type { PresetUse } from "./use-preset.ts";

/** `code` of a digit key: independent of the keyboard layout and of the character it types with Alt. */
const DIGIT = /^Digit(\d)$/;

/** Adds shortcuts: Alt with a digit chooses the preset at that position, 0 none. @returns the text for a live region */
export function usePresetKeys(presets: readonly Preset[], choose: PresetUse["choose"]): string {
  const { t } = useTranslation("presets");
  const [spoken, setSpoken] = useState("");
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const digit = DIGIT.exec(event.code)?.[1];
    if (digit === undefined || !isAltAlone(event) || event.defaultPrevented || isInDialog(event.target)) return;
    const preset = presets[Number(digit) - 1];
    if (presets.length === 0 || (digit !== "0" && !preset)) return;
    event.preventDefault();
    choose(preset?.id ?? null);
    setSpoken(preset ? t("menu.named", { name: preset.name }) : t("menu.none"));
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
  return spoken;
}

function isAltAlone(event: KeyboardEvent): boolean {
  return event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !isOtherAlt(event);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null;
}
