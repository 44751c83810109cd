import { Info } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL, type ModelGroup } from "#contract/models/models.ts";
import { optionText, withChosen } from "../../models/listed-models.ts";
import { Section } from "../../page/section.tsx";
import { Select } from "../../ui/components/fields/select.tsx";

type ChosenModelProps = {
  groups: readonly ModelGroup[];
  value: string;
  /** Note that applies to every choice. */
  note: string | null;
  onChoose: (value: string) => void;
};

/** Default model, used unless a preset or the chat selects another. */
export function ChosenModel({ groups, value, note, onChoose }: ChosenModelProps) {
  const { t } = useTranslation("models");
  return (
    <Section title={t("chosen.title")} text={t("chosen.text")}>
      <div className="flex flex-col gap-3 p-4 sm:p-5">
        <Select
          className="sm:max-w-80"
          aria-label={t("chosen.title")}
          value={value}
          onChange={(event) => onChoose(event.target.value)}
        >
          <option value={AUTO_MODEL}>{t("chosen.auto")}</option>
          {withChosen(groups, value).map(({ label, models }) => (
            <optgroup key={label} label={label}>
              {models.map((model) => (
                <option key={model.value} value={model.value}>
                  {note === null ? optionText(model) : model.label}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
        {note !== null && (
          <p className="flex items-start gap-2 text-pretty text-muted text-sm leading-text">
            <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
            {note}
          </p>
        )}
      </div>
    </Section>
  );
}
