import { zodResolver } from "@hookform/resolvers/zod";
import { type ComponentProps, type KeyboardEvent, useEffect, useMemo, useState } from "react";
import { type UseFormReturn, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { type RegisterForm as Registration, registerFormSchema } from "#contract/accounts.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../api/client.ts";
import { brokenFields, ruleText } from "../api/problem-text.ts";
import { afterPointer } from "../ui/after-pointer.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAuthConfig } from "./auth-config.ts";
import { registerErrorText } from "./error-texts.ts";
import { FailureBanner } from "./failure-banner.tsx";
import { NewPasswordField, usePasswordAdvice } from "./password-advice.tsx";
import { PasswordField } from "./password-field.tsx";
import { useWait } from "./use-wait.ts";

const names = ["firstname", "lastname", "username", "email", "password", "confirmPassword"] as const;
type Name = (typeof names)[number];

const empty: Registration = { firstname: "", lastname: "", username: "", email: "", password: "", confirmPassword: "" };
const plain = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;

export function RegisterForm({ email, onDone }: { email: string; onDone: () => void }) {
  const { t } = useTranslation("accounts");
  const { passwordMin } = useAuthConfig();
  const schema = useMemo(() => registerFormSchema(passwordMin), [passwordMin]);
  const form = useForm<Registration>({
    resolver: zodResolver(schema),
    defaultValues: { ...empty, email },
    // A field's error shows once the field has been left, and all errors once the form was submitted.
    mode: "onTouched",
  });
  const [failure, setFailure] = useState<{ text: string; error: unknown } | null>(null);
  const { leftMs } = useWait(failure?.error);
  const { isSubmitting } = form.formState;
  const fieldProps = useFieldProps(form);
  const [username, address, password] = form.watch(["username", "email", "password"]);
  const chooser = { username, email: address };
  const advice = usePasswordAdvice(password, chooser);
  const isValid = form.formState.isValid && !advice.isRefused;

  const submit = async ({ confirmPassword: _, ...request }: Registration) => {
    if (advice.isRefused && advice.reason) {
      form.setError("password", { type: "guessable", message: advice.reason }, { shouldFocus: true });
      return;
    }
    setFailure(null);
    try {
      await api.post(paths.register, request, null);
      onDone();
    } catch (error) {
      setFailure({ text: registerErrorText(error), error });
      showBrokenFields(form, error);
    }
  };

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(submit)}
      onKeyDown={isValid ? undefined : tellByEnter}
      className="flex flex-col gap-4"
    >
      {failure && <FailureBanner text={failure.text} error={failure.error} />}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label={t("register.firstname")} autoComplete="given-name" {...fieldProps("firstname")} />
        <Field label={t("register.lastname")} autoComplete="family-name" {...fieldProps("lastname")} />
      </div>
      <Field label={t("register.username")} autoComplete="username" {...plain} {...fieldProps("username")} />
      <Field label={t("register.email")} type="email" autoComplete="email" {...plain} {...fieldProps("email")} />
      <NewPasswordField label={t("register.password")} chooser={chooser} {...fieldProps("password")} />
      <PasswordField
        label={t("register.confirmPassword")}
        autoComplete="new-password"
        {...fieldProps("confirmPassword")}
      />
      <Button
        type="submit"
        size="large"
        busy={isSubmitting}
        disabled={isSubmitting || !isValid || leftMs > 0}
        className="mt-2 w-full"
      >
        {t(isSubmitting ? "register.submitting" : "register.submit")}
      </Button>
    </form>
  );
}

/** What ties a field to the form: its value and its error. */
function useFieldProps(form: UseFormReturn<Registration>) {
  const { t } = useTranslation("accounts");
  const { errors, touchedFields, isSubmitted } = form.formState;

  // A repeated password that was right may be wrong now, and the other way round.
  const isRepeated = touchedFields.confirmPassword === true || isSubmitted;
  const password = form.watch("password");
  const { trigger } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the password's change that asks for it
  useEffect(() => {
    if (isRepeated) void trigger("confirmPassword");
  }, [password, isRepeated, trigger]);

  return (name: Name) => {
    const message = errors[name]?.message;
    const { onBlur, ...rest } = form.register(name);
    const touch: ComponentProps<"input">["onBlur"] = (event) => afterPointer(() => void onBlur(event));
    const error = message === undefined ? undefined : ruleText(message, t(`fields.${name}`));
    return { ...rest, onBlur: touch, error, required: true };
  };
}

/** Enter does nothing where a form's button is disabled; in an incomplete form it tells what is missing. */
function tellByEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

function showBrokenFields(form: UseFormReturn<Registration>, error: unknown): void {
  for (const { field, rule } of brokenFields(error)) {
    const name = names.find((known) => known === field);
    if (name) form.setError(name, { type: "server", message: rule });
  }
}
