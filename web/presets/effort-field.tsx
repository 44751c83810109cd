import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type Effort, effortSchema, efforts, nearestEffort } from "#contract/models/effort.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { nameOfModel } from "../models/model-name.ts";
import { Select } from "../ui/components/fields/select.tsx";
import { effortsOf } from "./effort-choice.ts";

type EffortFieldProps = {
  groups: readonly ModelGroup[];
  model: string | null;
  /** Null: as chosen in the chat. */
  value: Effort | null;
  onChange: (value: Effort | null) => void;
};

/** Effort of reasoning of a preset; nothing if neither the model has efforts nor the preset has one. */
export function EffortField({ groups, model, value, onChange }: EffortFieldProps) {
  const { t } = useTranslation("presets");
  const id = useId();
  const noteId = useId();
  const levels = effortsOf(groups, model);
  const note = useNote(levels, value, model === null ? null : nameOfModel(groups, model));
  if (levels.length === 0 && value === null) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {t("effort.label")}
      </label>
      <Select
        id={id}
        value={value ?? ""}
        aria-describedby={note === null ? undefined : noteId}
        onChange={(event) => onChange(effortSchema.safeParse(event.target.value).data ?? null)}
      >
        <option value="">{t("form.anyEffort")}</option>
        {efforts
          .filter((effort) => effort === value || levels.includes(effort))
          .map((effort) => (
            <option key={effort} value={effort}>
              {t(`effort.${effort}`)}
            </option>
          ))}
      </Select>
      <p id={noteId} role="status" className={note === null ? "sr-only" : "text-muted text-sm leading-text"}>
        {note}
      </p>
    </div>
  );
}

/** Returns a note if the chosen model has no such effort; else null. */
function useNote(levels: readonly Effort[], value: Effort | null, model: string | null): string | null {
  const { t } = useTranslation("presets");
  if (value === null || model === null || levels.includes(value)) return null;
  const used = nearestEffort(value, levels);
  if (used === undefined) return t("form.noEffort");
  return t("effort.nearest", { model, wanted: t(`effort.${value}`), used: t(`effort.${used}`) });
}
