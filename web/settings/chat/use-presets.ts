import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { NewPreset } from "#contract/conversation/preset-calls.ts";
import type { Preset } from "#contract/conversation/presets.ts";
import { PRESET_NAME_MAX } from "#contract/limits.ts";
import { type ChangedFields, isUnchanged } from "../../forms/changed-fields.ts";
import { useAction } from "../../forms/use-action.ts";
import type { Failure } from "../../forms/use-sending.ts";
import { accountQuery } from "../../queries/query.ts";
import { type QueryResult, useQuery } from "../../queries/use-query.ts";
import { presetsApi } from "./presets-api.ts";

const presetsQuery = accountQuery(presetsApi.read);

export type EditedPresets = {
  presets: QueryResult<Preset[]>;
  /** Failure of the last action. */
  failure: Failure | null;
  /** Creates a preset, or updates one. Throws if the server refuses. */
  save: (preset: Preset | null, given: NewPreset, changed: ChangedFields<NewPreset>) => Promise<Preset>;
  /** The other actions resolve to whether they succeeded; an optimistic update is rolled back on failure. */
  duplicate: (preset: Preset) => Promise<boolean>;
  move: (preset: Preset, to: number) => Promise<boolean>;
  remove: (preset: Preset) => Promise<boolean>;
  restore: (preset: Preset) => Promise<boolean>;
};

/** The account's presets with their actions, one at a time. */
export function usePresets(): EditedPresets {
  const { t } = useTranslation("presets");
  const presets = useQuery(presetsQuery);
  const { run, failure } = useAction<string>();
  const shown = useRef<Preset[]>([]);
  shown.current = presets.value ?? [];

  const show = (list: Preset[]) => {
    shown.current = list;
    presets.change(list);
  };

  /** Runs an action; after a failure the list is reloaded to roll back an optimistic update. */
  const attempt = async (name: string, act: () => Promise<void>): Promise<boolean> => {
    let isDone = false;
    await run(name, async () => {
      try {
        await act();
        isDone = true;
      } catch (error) {
        void presets.reload();
        throw error;
      }
    });
    return isDone;
  };

  return {
    presets,
    failure,
    save: async (preset, given, changed) => {
      if (preset && isUnchanged(changed)) return preset;
      const saved = await (preset ? presetsApi.change(preset.id, changed) : presetsApi.add(given));
      const list = shown.current;
      show(preset ? list.map((each) => (each.id === saved.id ? saved : each)) : [...list, saved]);
      return saved;
    },
    duplicate: (preset) =>
      attempt(`duplicate:${preset.id}`, async () => {
        const { id, ...given } = preset;
        // The name is stored, so it must not contain bidi isolates.
        const name = t("list.copy", {
          interpolation: { escapeValue: false },
          name: given.name.slice(0, PRESET_NAME_MAX - t("list.copy", { name: "" }).length),
        });
        const copy = await presetsApi.add({ ...given, name });
        const index = shown.current.findIndex((each) => each.id === id) + 1;
        show(shown.current.toSpliced(index, 0, copy));
        await presetsApi.move(copy.id, index);
      }),
    move: (preset, to) =>
      attempt(`move:${preset.id}`, async () => {
        show(shown.current.filter(({ id }) => id !== preset.id).toSpliced(to, 0, preset));
        await presetsApi.move(preset.id, to);
      }),
    remove: (preset) =>
      attempt(`remove:${preset.id}`, async () => {
        show(shown.current.filter(({ id }) => id !== preset.id));
        await presetsApi.delete(preset.id);
      }),
    restore: (preset) =>
      attempt(`restore:${preset.id}`, async () => {
        await presetsApi.restore(preset.id);
        await presets.reload();
      }),
  };
}
