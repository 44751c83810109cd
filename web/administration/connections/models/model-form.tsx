import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConnectionModel, ModelChanges } from "#contract/administration/connections.ts";
import { efforts } from "#contract/models/effort.ts";
import { MODEL_LABEL_MAX } from "#contract/models/model-facts.ts";
import { FailureBanner } from "../../../forms/failure-banner.tsx";
import { FormFooter } from "../../../forms/form-footer.tsx";
import { i18n } from "../../../locales/i18n.ts";
import { Button } from "../../../ui/components/button.tsx";
import { CheckField } from "../../../ui/components/fields/check-field.tsx";
import { Field } from "../../../ui/components/fields/field.tsx";
import { SelectField } from "../../../ui/components/fields/select-field.tsx";
import { isChat } from "./model-words.ts";
import { switchableFacts, useModelForm } from "./use-model-form.ts";

type ModelFormProps = {
  model: ConnectionModel;
  save: (changes: ModelChanges["changes"]) => Promise<void>;
  onCancel: () => void;
};

/** Corrects what the server reports of a model. Empty fields stand for the report, which is their placeholder. */
export function ModelForm({ model, save, onCancel }: ModelFormProps) {
  const { t } = useTranslation("connections");
  const form = useModelForm(model, save);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { name, facts, overrides } = model;
  const number = (field: "contextTokens" | "maxOutputTokens") => ({
    label: t(`form.model.${field}`),
    defaultValue: overrides[field] ?? "",
    placeholder: String(facts[field] ?? t("facts.unknown")),
    inputMode: "numeric" as const,
    autoComplete: "off",
    ...form.fieldProps(field),
    required: false,
  });
  const reported = (value: boolean | undefined) =>
    value === undefined ? t("form.model.asReported") : t(value ? "form.model.reportedYes" : "form.model.reportedNo");
  const choiceOf = (value: boolean | undefined) => (value === undefined ? "" : value ? "yes" : "no");
  return (
    <form {...form.formProps} className="flex flex-col gap-4 my-3 rounded-control border border-hairline p-4">
      <h3 ref={heading} tabIndex={-1} className="font-medium text-sm [overflow-wrap:anywhere]">
        <bdi>{name}</bdi>
      </h3>
      <FailureBanner failure={form.failure} />
      <Field
        label={t("form.model.label")}
        maxLength={MODEL_LABEL_MAX}
        autoComplete="off"
        defaultValue={overrides.label ?? ""}
        placeholder={facts.label ?? name}
        {...form.fieldProps("label")}
        required={false}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field {...number("contextTokens")} />
        <Field {...number("maxOutputTokens")} />
        {switchableFacts.map((fact) => (
          <SelectField key={fact} name={fact} label={t(`form.model.${fact}`)} defaultValue={choiceOf(overrides[fact])}>
            <option value="">{reported(facts[fact])}</option>
            <option value="yes">{t("form.model.yes")}</option>
            <option value="no">{t("form.model.no")}</option>
          </SelectField>
        ))}
        <Field {...priceField("input", { model, form })} />
        <Field {...priceField("output", { model, form })} />
      </div>
      <FewNeeded model={model} form={form} />
      <CheckField label={t("form.model.isChat")} name="isChat" value="yes" defaultChecked={isChat(model)} />
      <FormFooter form={form} submit={t("form.save")} submitting={t("form.saving")}>
        <Button variant="quiet" onClick={onCancel}>
          {t("form.cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}

type Form = ReturnType<typeof useModelForm>;
type FormOfModel = { model: ConnectionModel; form: Form };

/** Props of the field of a price. */
function priceField(name: "input" | "output" | "cacheRead" | "cacheWrite", { model, form }: FormOfModel) {
  const t = i18n.getFixedT(null, "connections");
  const { facts, overrides } = model;
  return {
    label: t(`form.model.${name}`),
    defaultValue: overrides.price?.[name] ?? "",
    placeholder: String(facts.price?.[name] ?? t("facts.unknown")),
    inputMode: "decimal" as const,
    autoComplete: "off",
    ...form.fieldProps(name),
    required: false,
  };
}

/** Prices of the cache and efforts, behind a button. It opens by itself at an error. */
function FewNeeded({ model, form }: FormOfModel) {
  const { t } = useTranslation("connections");
  const { facts, overrides } = model;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const hasError = (["cacheRead", "cacheWrite", "efforts"] as const).some((name) => form.fieldProps(name).error);
  const isShown = isOpen || hasError;
  return (
    <div>
      <Button
        variant="secondary"
        size="small"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpen(!isShown)}
      >
        {t("form.model.more")}
      </Button>
      <div id={id} hidden={!isShown} className="mt-4 grid gap-4 sm:grid-cols-2">
        <Field {...priceField("cacheRead", { model, form })} />
        <Field {...priceField("cacheWrite", { model, form })} />
        <Field
          label={t("form.model.efforts")}
          hint={t("form.model.effortsHint", { names: efforts.join(", ") })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
          defaultValue={overrides.efforts?.join(", ") ?? ""}
          placeholder={facts.efforts?.join(", ") ?? t("facts.unknown")}
          {...form.fieldProps("efforts")}
          required={false}
        />
      </div>
    </div>
  );
}
