import { useTranslation } from "react-i18next";
import { SYSTEM_PROMPT_MAX, shareReaches } from "#contract/administration/installation.ts";
import { Field } from "../../ui/components/fields/field.tsx";
import { RadioChoices } from "../../ui/components/fields/radio-choices.tsx";
import { TextArea } from "../../ui/components/fields/text-area.tsx";
import { type FormSetting, numberMaxima } from "./setting-drafts.ts";

type SettingControlProps = {
  name: FormSetting;
  draft: string;
  error: string | undefined;
  isReadOnly: boolean;
  onChange: (draft: string) => void;
};

const listHints = { registrationDomains: "domainsHint", trustedNetworks: "networksHint" } as const;
const isList = (name: FormSetting): name is keyof typeof listHints => Object.hasOwn(listHints, name);

const isNumber = (name: FormSetting) => name === "shareDaysMax" || Object.hasOwn(numberMaxima, name);

/** Control of one setting, whose value is a text. */
export function SettingControl({ name, draft, error, isReadOnly, onChange }: SettingControlProps) {
  const { t } = useTranslation("installation");
  const label = t(`settings.${name}`);
  const common = { label, value: draft, error, readOnly: isReadOnly };
  if (name === "registration") {
    const choices = (["open", "closed"] as const).map((value) => ({
      value,
      title: t(`registration.${value}`),
      text: t(`registration.${value}Text`),
    }));
    const value = draft === "closed" ? "closed" : "open";
    return <RadioChoices label={label} choices={choices} value={value} isDisabled={isReadOnly} onChange={onChange} />;
  }
  if (name === "shareLinks") {
    const choices = shareReaches.map((value) => ({
      value,
      title: t(`shareLinks.${value}`),
      text: t(`shareLinks.${value}Text`),
    }));
    const value = shareReaches.find((reach) => reach === draft) ?? "off";
    return <RadioChoices label={label} choices={choices} value={value} isDisabled={isReadOnly} onChange={onChange} />;
  }
  if (name === "systemPrompt") {
    return (
      <TextArea {...common} limit={SYSTEM_PROMPT_MAX} rows={5} onChange={({ target }) => onChange(target.value)}>
        {!error && (
          <p className="pt-0.5 text-pretty text-muted leading-text">{`${t("about.systemPrompt")} ${t("promptHint")}`}</p>
        )}
      </TextArea>
    );
  }
  return (
    <Field
      {...common}
      hint={isList(name) ? `${t(`about.${name}`)} ${t(listHints[name])}` : t(`about.${name}`)}
      inputMode={isNumber(name) ? "numeric" : undefined}
      autoComplete="off"
      {...(isList(name) && { autoCapitalize: "none", autoCorrect: "off", spellCheck: false })}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
