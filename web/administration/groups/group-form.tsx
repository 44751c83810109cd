import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { type AccountGroup, type AccountGroupList, GROUP_NAME_MAX } from "#contract/administration/groups.ts";
import { QUOTA_MAX_MB } from "#contract/limits.ts";
import { nameText } from "#contract/text/name-text.ts";
import { rule } from "#contract/text/validation.ts";
import { changedFields } from "../../forms/changed-fields.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/field.tsx";
import { SelectField } from "../../ui/components/select-field.tsx";
import { enteredBudget } from "../entered-budget.ts";
import { groupsApi } from "./groups-api.ts";
import { ModelPicker } from "./model-picker.tsx";

type Choices = AccountGroupList["choices"];

const isQuota = (text: string) => /^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= QUOTA_MAX_MB;
const isAmount = (text: string) => enteredBudget(text) !== undefined;

/** A number as text, or nothing: `z.coerce` would join every page's chunk. */
const numberText = (isValid: (text: string) => boolean) =>
  z.string().check(
    z.overwrite((text) => text.trim()),
    z.refine((text) => text === "" || isValid(text), { error: rule("invalid") }),
  );

const formSchema = z.object({
  name: nameText(GROUP_NAME_MAX),
  quotaMb: numberText(isQuota),
  budget: numberText(isAmount),
  memberBudget: numberText(isAmount),
  timeZone: z.string(),
});
type FormValues = z.infer<typeof formSchema>;

type GroupFormProps = {
  /** Absent: a new group. */
  group?: AccountGroup;
  choices: Choices;
  onSaved: (group: AccountGroup) => void;
  onCancel: () => void;
};

/** Form of a new group, or of one that is there. Its heading takes the focus. */
export function GroupForm({ group, choices, onSaved, onCancel }: GroupFormProps) {
  const { t } = useTranslation("groups");
  // The group as its person saw it when the form was opened, also if the list is read again meanwhile.
  const [opened] = useState(group);
  const heading = useRef<HTMLHeadingElement>(null);
  const [models, setModels] = useState<readonly string[] | null>(group?.models ?? null);
  const [chosen, setChosen] = useState(group?.defaultModel ?? "");
  const [isUnpicked, setUnpicked] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  const defaults = defaultsOf(choices, models, chosen);
  // A default model that is not permitted any more.
  const defaultModel = defaults.some(({ value }) => value === chosen) ? chosen : "";
  const form = useCheckedForm({
    schema: formSchema,
    labels: {
      name: t("fields.name"),
      quotaMb: t("fields.quotaMb"),
      budget: t("fields.budget"),
      memberBudget: t("fields.memberBudget"),
    },
    textOf: failureText,
    send: async ({ name, timeZone, ...numbers }: FormValues) => {
      setUnpicked(models?.length === 0);
      if (models?.length === 0) return null;
      const wanted = {
        ...{ name, timeZone, models: models && [...models], defaultModel: defaultModel || null },
        quotaMb: numbers.quotaMb === "" ? null : Number(numbers.quotaMb),
        ...{ budget: enteredBudget(numbers.budget), memberBudget: enteredBudget(numbers.memberBudget) },
      };
      const save = () =>
        opened ? groupsApi.change(opened.id, changedFields(opened, wanted)) : groupsApi.create(wanted);
      onSaved(await withProof(save));
      return null;
    },
  });
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
          models={models}
          onChange={(changed) => {
            setModels(changed);
            setUnpicked(false);
          }}
          error={isUnpicked ? t("form.pick") : undefined}
        />
        <div>
          <SelectField
            label={t("form.default")}
            value={defaultModel}
            onChange={({ target }) => setChosen(target.value)}
          >
            <option value="">{t("form.automatic")}</option>
            {defaults.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          <p className="pt-1 text-muted text-xs">{t("form.defaultHint")}</p>
        </div>
        <Amounts group={group} fieldProps={form.fieldProps} />
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

/** Returns the models that can be the default: those of the group, also one that the server does not have. */
function defaultsOf(choices: Choices, models: readonly string[] | null, current: string) {
  const all = choices.flatMap((group) => group.models);
  const permitted = models === null ? all : all.filter(({ value }) => models.includes(value));
  const isMissing = current !== "" && !all.some(({ value }) => value === current);
  const isPermitted = models === null || models.includes(current);
  return isMissing && isPermitted ? [...permitted, { value: current, label: current }] : permitted;
}
