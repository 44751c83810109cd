import { useTranslation } from "react-i18next";
import {
  CLASS_CODE_LIFE_DEFAULT_MS,
  CLASS_CODE_LIFE_MAX_MS,
  CLASS_CODE_USES_DEFAULT,
  INVITATION_LIFE_DEFAULT_MS,
  INVITATION_USES_MAX,
} from "#contract/administration/invitations.ts";
import { DAY, HOUR } from "#contract/limits.ts";
import type { CheckedForm } from "../../forms/use-checked-form.ts";
import { Field } from "../../ui/components/fields/field.tsx";
import { RadioChoices } from "../../ui/components/fields/radio-choices.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { CheckboxField, invitationLives, MailChoice } from "../invitation-choices.tsx";

/** For whom an invitation is: one address, several people by a link, or a class by a code. */
export type InvitationKind = "one" | "several" | "class";

const codeLives = [CLASS_CODE_LIFE_DEFAULT_MS, 2 * HOUR, 4 * HOUR, CLASS_CODE_LIFE_MAX_MS];
const usesDefaults = { several: 10, class: CLASS_CODE_USES_DEFAULT };

type KindChoiceProps = { kind: InvitationKind; onChange: (kind: InvitationKind) => void };

export function KindChoice({ kind, onChange }: KindChoiceProps) {
  const { t } = useTranslation("invitations");
  const choices = [
    { value: "one", title: t("form.one"), text: t("form.oneText") },
    { value: "several", title: t("form.several"), text: t("form.severalText") },
    { value: "class", title: t("form.class"), text: t("form.classText") },
  ] as const;
  return <RadioChoices label={t("form.who")} choices={choices} value={kind} onChange={onChange} />;
}

type PeopleFieldProps = { kind: InvitationKind; form: Pick<CheckedForm<"address" | "uses" | "note">, "fieldProps"> };

/** The address of one person, or the number of people. */
export function PeopleField({ kind, form }: PeopleFieldProps) {
  const { t } = useTranslation("invitations");
  if (kind !== "one") {
    return (
      <Field
        key={kind}
        label={t("form.uses")}
        hint={t("form.usesHint", { max: INVITATION_USES_MAX })}
        type="number"
        inputMode="numeric"
        min={1}
        max={INVITATION_USES_MAX}
        defaultValue={usesDefaults[kind]}
        {...form.fieldProps("uses")}
      />
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t("form.address")}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...form.fieldProps("address")}
      />
      <MailChoice label={t("form.mail")} />
    </div>
  );
}

/** How long an invitation is valid: days, or hours with a class code. */
export function LifeField({ isCode }: { isCode: boolean }) {
  const { t } = useTranslation("invitations");
  const offered = isCode ? codeLives : invitationLives;
  return (
    <SelectField
      key={String(isCode)}
      name="lifeMs"
      label={t("form.life")}
      defaultValue={isCode ? CLASS_CODE_LIFE_DEFAULT_MS : INVITATION_LIFE_DEFAULT_MS}
    >
      {offered.map((life) => (
        <option key={life} value={life}>
          {isCode ? t("form.hours", { count: life / HOUR }) : t("form.days", { count: life / DAY })}
        </option>
      ))}
    </SelectField>
  );
}

/** Whether only trusted networks can use a class code. */
export function TrustedChoice() {
  const { t } = useTranslation("invitations");
  return <CheckboxField name="trustedOnly" label={t("form.trusted")} hint={t("form.trustedHint")} />;
}
