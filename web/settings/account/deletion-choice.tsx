import { useTranslation } from "react-i18next";
import { RadioChoices } from "../../ui/components/fields/radio-choices.tsx";

type DeletionChoiceProps = { isImmediate: boolean; onChange: (isImmediate: boolean) => void };

export function DeletionChoice({ isImmediate, onChange }: DeletionChoiceProps) {
  const { t } = useTranslation("settings");
  const choices = [
    { value: false, title: t("deletion.later"), text: t("deletion.laterText") },
    { value: true, title: t("deletion.now"), text: t("deletion.nowText") },
  ];
  return <RadioChoices label={t("deletion.when")} choices={choices} value={isImmediate} onChange={onChange} />;
}
