import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { TEMPERATURE_MAX } from "#contract/limits.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { findModel } from "../models/model-name.ts";

type TemperatureFieldProps = {
  groups: readonly ModelGroup[];
  model: string | null;
  /** Null: the model's default. */
  value: number | null;
  onChange: (value: number | null) => void;
};

/** Initial value when a temperature is set. */
const MIDDLE = 0.7;
const STEP = 0.05;

/** Temperature of the model: its default, or a chosen value. */
export function TemperatureField({ groups, model, value, onChange }: TemperatureFieldProps) {
  const { t } = useTranslation("presets");
  const name = useId();
  const noteId = useId();
  const note = useNote(groups, model, value);
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">{t("form.temperature")}</legend>
      <div className="divide-y divide-hairline rounded-control border border-outline">
        <Choice name={name} label={t("form.ownTemperature")} isOn={value === null} onChoose={() => onChange(null)} />
        <div>
          <Choice
            name={name}
            label={t("form.setTemperature")}
            isOn={value !== null}
            onChoose={() => onChange(value ?? MIDDLE)}
          />
          {value !== null && <Scale value={value} noteId={note ? noteId : undefined} onChange={onChange} />}
        </div>
      </div>
      <p id={noteId} role="status" className={note ? "mt-1.5 text-muted text-sm leading-text" : "sr-only"}>
        {note}
      </p>
    </fieldset>
  );
}

/** Returns a note on how the chosen model treats the temperature. */
function useNote(groups: readonly ModelGroup[], model: string | null, value: number | null): string | null {
  const { t } = useTranslation("presets");
  if (value === null || model === null) return null;
  if (findModel(groups, model)?.takesTemperature === false) return t("form.noTemperature");
  return model.startsWith("CLAUDE:") && value > 1 ? t("form.claudeOne") : null;
}

type ChoiceProps = { name: string; label: string; isOn: boolean; onChoose: () => void };

function Choice({ name, label, isOn, onChoose }: ChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 text-sm">
      <input type="radio" name={name} checked={isOn} onChange={onChoose} className="size-4 shrink-0 accent-accent" />
      {label}
    </label>
  );
}

type ScaleProps = { value: number; noteId: string | undefined; onChange: (value: number) => void };

function Scale({ value, noteId, onChange }: ScaleProps) {
  const { t } = useTranslation("presets");
  // An incomplete input need not be a number yet.
  const [typed, setTyped] = useState<string | null>(null);
  const put = (text: string) => {
    const number = Math.round(Number(text) * 100) / 100;
    if (text !== "" && number >= 0 && number <= TEMPERATURE_MAX) onChange(number);
  };
  return (
    <div className="flex items-start gap-4 px-3 pb-3">
      <div className="min-w-0 flex-1">
        <input
          type="range"
          min={0}
          max={TEMPERATURE_MAX}
          step={STEP}
          value={value}
          aria-label={t("form.temperature")}
          aria-describedby={noteId}
          className="h-9 w-full cursor-pointer accent-accent"
          onChange={(event) => put(event.target.value)}
        />
        <div aria-hidden="true" className="flex justify-between text-muted text-xs">
          <span>{t("form.low")}</span>
          <span>{t("form.high")}</span>
        </div>
      </div>
      <input
        type="number"
        inputMode="decimal"
        min={0}
        max={TEMPERATURE_MAX}
        step={STEP}
        value={typed ?? value}
        aria-label={t("form.value")}
        className="h-9 w-18 shrink-0 rounded-control border border-outline bg-raised px-2 text-end text-sm tabular-nums pointer-coarse:h-11"
        onChange={(event) => {
          setTyped(event.target.value);
          put(event.target.value);
        }}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}
