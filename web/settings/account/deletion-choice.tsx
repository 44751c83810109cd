import { useId } from "react";
import { useTranslation } from "react-i18next";

type DeletionChoiceProps = { isImmediate: boolean; onChange: (isImmediate: boolean) => void };

export function DeletionChoice({ isImmediate, onChange }: DeletionChoiceProps) {
  const { t } = useTranslation("settings");
  const name = useId();
  const choices = [
    { value: false, title: t("deletion.later"), text: t("deletion.laterText") },
    { value: true, title: t("deletion.now"), text: t("deletion.nowText") },
  ];
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-sm">{t("deletion.when")}</legend>
      <div className="divide-y divide-hairline rounded-control border border-outline">
        {choices.map(({ value, title, text }) => (
          <label key={title} className="flex cursor-pointer items-start gap-3 px-3 py-2.5">
            <input
              type="radio"
              name={name}
              checked={isImmediate === value}
              onChange={() => onChange(value)}
              className="mt-0.5 size-4 shrink-0"
            />
            <span className="min-w-0 text-sm">
              <span className="block font-medium">{title}</span>
              <span className="mt-0.5 block text-muted leading-text">{text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
