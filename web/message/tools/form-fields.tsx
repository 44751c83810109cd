import { CircleAlert } from "lucide-react";
import { type HTMLInputTypeAttribute, type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { FormField } from "#contract/conversation/tool-forms.ts";
import type { FormProblem } from "#contract/mcp/form-problems.ts";
import { useIsolate } from "../../locales/use-isolate.ts";
import { CheckField } from "../../ui/components/fields/check-field.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { Select } from "../../ui/components/fields/select.tsx";
import type { Entry } from "./form-values.ts";

type FormFieldInputProps = {
  field: FormField;
  entry: Entry;
  problem: FormProblem | undefined;
  onChange: (entry: Entry) => void;
  /** Of the element that receives the focus. */
  inputRef: (element: HTMLElement | null) => void;
};

/** One field of a form by which a tool asks. */
export function FormFieldInput(props: FormFieldInputProps) {
  const { field, entry, problem, onChange, inputRef } = props;
  const label = useFieldLabel(field);
  const error = useProblemText(problem);
  const hint = useIsolate()(field.description ?? "") || undefined;
  if (typeof entry === "boolean") {
    return (
      <CheckField
        ref={inputRef}
        label={label}
        hint={hint}
        checked={entry}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  }
  if (typeof entry !== "string") return <ChoicesField {...props} chosen={entry} label={label} error={error} />;
  if (field.kind === "choice") return <ChoiceField {...props} chosen={entry} label={label} error={error} />;
  const { type, isNumber } = inputOf(field);
  return (
    <Field
      ref={inputRef}
      label={label}
      type={type}
      {...(isNumber && { inputMode: field.kind === "integer" ? "numeric" : "decimal" })}
      hint={hint}
      error={error}
      value={entry}
      aria-required={field.isRequired}
      // A browser must not fill in what a server of others asks.
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A number is entered as text: a browser's field for numbers reports a wrong one as empty. */
function inputOf({ kind, format }: FormField): { type: HTMLInputTypeAttribute; isNumber: boolean } {
  if (kind !== "text") return { type: "text", isNumber: true };
  const types = { email: "email", uri: "url", date: "date", "date-time": "datetime-local" } as const;
  const known = (["email", "uri", "date", "date-time"] as const).find((each) => each === format);
  return { type: known ? types[known] : "text", isNumber: false };
}

function useFieldLabel({ name, title, isRequired, kind }: FormField): string {
  const { t } = useTranslation("toolForms");
  const label = useIsolate()(title || name);
  return isRequired || kind === "boolean" ? label : t("optional", { label });
}

function useProblemText(problem: FormProblem | undefined): string | undefined {
  const { t, i18n } = useTranslation("toolForms");
  if (!problem) return undefined;
  const { rule, limit = 0 } = problem;
  // The form of this page has no unknown fields.
  if (rule === "unknown") return t("problems.option");
  return t(`problems.${rule}`, { limit: new Intl.NumberFormat(i18n.language).format(limit) });
}

type ChoiceFieldProps<Chosen> = FormFieldInputProps & { chosen: Chosen; label: string; error: string | undefined };

function ChoiceField({ field, chosen, label, error, onChange, inputRef }: ChoiceFieldProps<string>) {
  const { t } = useTranslation("toolForms");
  const id = useId();
  const remark = error ?? field.description;
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium text-sm">
        {label}
      </label>
      <Select
        id={id}
        ref={inputRef}
        value={chosen}
        aria-required={field.isRequired}
        aria-invalid={error ? true : undefined}
        aria-describedby={remark ? `${id}-remark` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{t("notChosen")}</option>
        {(field.options ?? []).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
      <Remark id={`${id}-remark`} error={error}>
        {field.description}
      </Remark>
    </div>
  );
}

function ChoicesField({ field, chosen, label, error, onChange, inputRef }: ChoiceFieldProps<readonly string[]>) {
  const id = useId();
  const isolate = useIsolate();
  const remark = error ?? field.description;
  return (
    <fieldset aria-describedby={remark ? `${id}-remark` : undefined}>
      <legend className="font-medium text-sm">{label}</legend>
      <div className="max-h-60 overflow-y-auto">
        {(field.options ?? []).map(({ value, label: name }, index) => (
          <CheckField
            key={value}
            {...(index === 0 && { ref: inputRef })}
            label={isolate(name)}
            checked={chosen.includes(value)}
            aria-invalid={error ? true : undefined}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
        ))}
      </div>
      <Remark id={`${id}-remark`} error={error}>
        {field.description}
      </Remark>
    </fieldset>
  );
}

/** Below a field: its error, else its description. */
function Remark({ id, error, children }: { id: string; error: string | undefined; children: ReactNode }) {
  if (error) {
    return (
      <p id={id} className="flex items-start gap-1.5 pt-1 text-danger text-xs">
        <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />
        {error}
      </p>
    );
  }
  if (!children) return null;
  return (
    <p id={id} className="pt-1 text-muted text-xs [overflow-wrap:anywhere]">
      <bdi>{children}</bdi>
    </p>
  );
}
