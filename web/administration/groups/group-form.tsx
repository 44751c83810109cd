import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type AccountGroup, type AccountGroupList, GROUP_NAME_MAX } from "#contract/administration/groups.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormFooter } from "../../forms/form-footer.tsx";
import { ModelSelectField } from "../../models/search/model-select-field.tsx";
import { Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { SelectField } from "../../ui/components/fields/select-field.tsx";
import { ModelPicker } from "./model-picker.tsx";
import { useGroupForm } from "./use-group-form.ts";

type GroupFormProps = {
  /** Absent: a new group. */
  group?: AccountGroup;
  choices: AccountGroupList["choices"];
  onSaved: (group: AccountGroup) => void;
  onCancel: () => void;
};

/** Form of a new group, or of one that is there. Its heading takes the focus. */
export function GroupForm({ group, choices, onSaved, onCancel }: GroupFormProps) {
  const { t } = useTranslation("groups");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { form, models, defaultModel } = useGroupForm({ group, choices, onSaved });
  return (
    <Section title={group ? t("editLabel", { name: group.name }) : t("add")} headingRef={heading}>
      <form {...form.formProps} className="flex flex-col gap-5 p-4 sm:p-5">
        <FailureBanner failure={form.failure} />
        <Field
          label={t("form.name")}
          maxLength={GROUP_NAME_MAX}
          autoComplete="off"
          defaultValue={group?.name}
          {...form.fieldProps("name")}
        />
        <ModelPicker
          choices={choices}
          models={models.picked}
          onChange={models.pick}
          error={models.isMissing ? t("form.pick") : undefined}
        />
        <div>
          <ModelSelectField
            label={t("form.default")}
            groups={defaultModel.offered}
            first={{ value: "", label: t("form.automatic") }}
            value={defaultModel.value}
            onChoose={defaultModel.choose}
          />
          <p className="pt-1 text-muted text-xs">{t("form.defaultHint")}</p>
        </div>
        <Amounts group={group} fieldProps={form.fieldProps} />
        <CheckField
          name="needsSecondFactor"
          label={t("form.secondFactor")}
          hint={t("form.secondFactorHint")}
          defaultChecked={group?.needsSecondFactor}
        />
        <CheckField
          name="mayShare"
          label={t("form.mayShare")}
          hint={t("form.mayShareHint")}
          defaultChecked={group?.mayShare ?? true}
        />
        <FormFooter
          form={form}
          submit={group ? t("form.save") : t("form.create")}
          submitting={group ? t("form.saving") : t("form.creating")}
        >
          <Button variant="quiet" onClick={onCancel}>
            {t("form.cancel")}
          </Button>
        </FormFooter>
      </form>
    </Section>
  );
}

type AmountName = "quotaMb" | "budget" | "memberBudget";
type AmountsProps = {
  group: AccountGroup | undefined;
  fieldProps: (name: AmountName) => { error: string | undefined; onInput: () => void };
};

/** Storage, time zone and budgets. */
function Amounts({ group, fieldProps }: AmountsProps) {
  const { t } = useTranslation("groups");
  const number = (name: AmountName) => {
    const { error, onInput } = fieldProps(name);
    return {
      name,
      error,
      onInput,
      defaultValue: group?.[name] ?? "",
      inputMode: "decimal",
      autoComplete: "off",
    } as const;
  };
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label={t("form.quota")} hint={t("form.quotaHint")} {...number("quotaMb")} />
      <div>
        <SelectField name="timeZone" label={t("form.timeZone")} defaultValue={group?.timeZone ?? ownTimeZone()}>
          {timeZones(group?.timeZone).map((zone) => (
            <option key={zone} value={zone}>
              {zone}
            </option>
          ))}
        </SelectField>
        <p className="pt-1 text-muted text-xs">{t("form.timeZoneHint")}</p>
      </div>
      <Field label={t("form.budget")} hint={t("form.budgetHint")} {...number("budget")} />
      <Field label={t("form.memberBudget")} hint={t("form.budgetHint")} {...number("memberBudget")} />
    </div>
  );
}

/** Returns the time zone of this browser. */
const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the names of all time zones that this browser knows, with UTC and that of the group. */
const timeZones = (own = ownTimeZone()) => [...new Set(["UTC", own, ...Intl.supportedValuesOf("timeZone")])];
