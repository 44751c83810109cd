import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { NewPreset } from "#contract/conversation/preset-calls.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import type { ChangedFields } from "../../forms/changed-fields.ts";
import { useFocusRendered } from "../../page/use-focus-rendered.ts";
import { usePresets } from "./use-presets.ts";

/** Message under the list; after a deletion with Undo. */
export type PresetNote = { text: string; deleted?: Preset };

/** The presets, with their actions. */
export type NotedPresets = ReturnType<typeof useNotedPresets>;

/** Changes the presets of the account; each change leaves a note. `heading` takes the focus after a deletion. */
export function useNotedPresets(heading: RefObject<HTMLElement | null>) {
  const { t } = useTranslation("presets");
  const list = usePresets();
  const [note, setNote] = useState<PresetNote | null>(null);
  const focusRendered = useFocusRendered();
  const presets = list.presets.value ?? [];

  const move = async (preset: Preset, to: number) => {
    if (to < 0 || to >= presets.length) return;
    setNote(null);
    if (await list.move(preset, to)) {
      setNote({ text: t("list.moved", { name: preset.name, place: to + 1, count: presets.length }) });
    }
  };
  const duplicate = async (preset: Preset) => {
    setNote(null);
    if (await list.duplicate(preset)) setNote({ text: t("list.duplicated", { name: preset.name }) });
  };
  const remove = async (preset: Preset) => {
    setNote(null);
    // The item is removed with its focused button.
    heading.current?.focus({ preventScroll: true });
    if (await list.remove(preset)) setNote({ text: t("list.deleted", { name: preset.name }), deleted: preset });
  };
  const restore = async (preset: Preset) => {
    if (!(await list.restore(preset))) return;
    setNote({ text: t("list.restored", { name: preset.name }) });
    focusRendered(`preset-${preset.id}`);
  };

  /** `edited`: the preset as it was when its form was opened; null for a new one. */
  const save = async (edited: Preset | null, given: NewPreset, changed: ChangedFields<NewPreset>) => {
    const saved = await list.save(edited, given, changed);
    setNote({ text: t(edited === null ? "form.added" : "form.changed", { name: saved.name }) });
  };
  return {
    presets,
    isLoaded: list.presets.value !== null,
    error: list.presets.error,
    reload: list.presets.reload,
    failure: list.failure,
    note,
    move,
    duplicate,
    remove,
    restore,
    save,
  };
}
