import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { rule } from "#contract/text/validation.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { failureText } from "../../forms/failure-text.ts";
import { FormFooter } from "../../forms/form-footer.tsx";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import { Button, type ButtonVariant } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";

const formSchema = z.object({ code: z.string().check(z.trim(), z.minLength(1, { error: rule("required") })) });

type CodeFormProps = {
  label: string;
  hint: string;
  submit: string;
  submitting: string;
  variant?: ButtonVariant;
  /** Only a code of the app is accepted, no recovery code. */
  isOfApp?: boolean;
  /** Sends the code. A refused code is shown at the field, any other error above it. */
  onSend: (code: string) => Promise<void>;
  onCancel: () => void;
  /** Control for a failure, if any. */
  remedyOf?: (error: unknown) => ReactNode;
  /** Content above the field. */
  children?: ReactNode;
};

/** Form that asks for a code of the second factor. */
export function CodeForm({ label, hint, submit, submitting, variant, isOfApp = false, ...props }: CodeFormProps) {
  const { t } = useTranslation("secondFactor");
  const { onSend, onCancel, remedyOf, children } = props;
  const form = useCheckedForm({
    schema: formSchema,
    labels: { code: label },
    fieldOfCode: { "wrong-code": "code" },
    textOf: failureText,
    isFocused: true,
    send: async ({ code }) => {
      await onSend(code);
      return null;
    },
  });
  return (
    <form {...form.formProps} className="flex flex-col gap-4 p-4 sm:p-5">
      {children}
      <FailureBanner failure={form.failure}>{form.failure && remedyOf?.(form.failure.error)}</FailureBanner>
      <Field
        {...form.fieldProps("code")}
        label={label}
        hint={hint}
        className="max-w-72"
        maxLength={64}
        autoComplete="one-time-code"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...(isOfApp && { inputMode: "numeric" })}
      />
      <FormFooter form={form} submit={submit} submitting={submitting} {...(variant && { variant })}>
        <Button variant="quiet" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </FormFooter>
    </form>
  );
}
