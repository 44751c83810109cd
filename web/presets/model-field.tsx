import { useTranslation } from "react-i18next";
import type { ModelGroup } from "#contract/models/models.ts";
import { optionText, withChosen } from "../models/listed-models.ts";
import { SelectField } from "../ui/components/fields/select-field.tsx";

type ModelFieldProps = {
  groups: readonly ModelGroup[];
  value: string | null;
  onChange: (value: string | null) => void;
};

/** Model of a preset; an unavailable model stays selected until another is chosen. */
export function ModelField({ groups, value, onChange }: ModelFieldProps) {
  const { t } = useTranslation("presets");
  return (
    <SelectField
      label={t("form.model")}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? null : event.target.value)}
    >
      <option value="">{t("form.anyModel")}</option>
      {withChosen(groups, value).map(({ label, models }) => (
        <optgroup key={label} label={label}>
          {models.map((model) => (
            <option key={model.value} value={model.value}>
              {optionText(model)}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
