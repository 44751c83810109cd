import { useTranslation } from "react-i18next";
import type { ModelGroup } from "#contract/models/models.ts";
import { ModelSelectField } from "../models/search/model-select-field.tsx";

type ModelFieldProps = {
  groups: readonly ModelGroup[];
  value: string | null;
  onChange: (value: string | null) => void;
};

/** Model of a preset; an unavailable model stays selected until another is chosen. */
export function ModelField({ groups, value, onChange }: ModelFieldProps) {
  const { t } = useTranslation("presets");
  return (
    <ModelSelectField
      label={t("form.model")}
      groups={groups}
      first={{ value: "", label: t("form.anyModel") }}
      value={value ?? ""}
      onChoose={(chosen) => onChange(chosen === "" ? null : chosen)}
    />
  );
}
