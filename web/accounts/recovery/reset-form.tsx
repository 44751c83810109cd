import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { resetPasswordSchema } from "#contract/account-settings.ts";
import { noticeSchema } from "#contract/accounts.ts";
import { paths } from "#contract/paths.ts";
import { type BrokenRule, fieldIssues, type Rule } from "#contract/validation.ts";
import { ApiError, api } from "../../api/client.ts";
import { brokenFields, issueText, ruleText } from "../../api/problem-text.ts";
import { afterPointer } from "../../ui/after-pointer.ts";
import { Button } from "../../ui/button.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { resetErrorText } from "../error-texts.ts";
import { FailureBanner } from "../failure-banner.tsx";
import { NewPasswordField, usePasswordAdvice } from "../password-advice.tsx";
import { PasswordField } from "../password-field.tsx";
import { useWait } from "../use-wait.ts";

type ResetFormProps = {
  linkedKey: string;
  titleId: string;
  /** The server's sentence. */
  onDone: (sentence: string) => Promise<void>;
  onDeadLink: () => void;
};

type Name = "password" | "confirmPassword";
const names: readonly Name[] = ["password", "confirmPassword"];

/** As in the registration: what is wrong with a field is told once it was left, and all of it once the form was sent. */
export function ResetForm({ linkedKey, titleId, onDone, onDeadLink }: ResetFormProps) {
  const { t } = useTranslation("accounts");
  const fields = useTwoPasswords(linkedKey);
  const [failure, setFailure] = useState<{ text: string; error: unknown } | null>(null);
  const [isSending, setSending] = useState(false);
  const { leftMs } = useWait(failure?.error);
  const isHeld = isSending || leftMs > 0;
  const first = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (window.matchMedia("(pointer: fine)").matches) first.current?.focus();
  }, []);

  const send = async () => {
    setFailure(null);
    setSending(true);
    try {
      const body = { key: linkedKey, password: fields.values.password };
      const { message } = await api.post(paths.resetPassword, body, noticeSchema);
      await onDone(message);
    } catch (error) {
      setSending(false);
      const broken = brokenFields(error).find(({ field }) => field === "password");
      if (broken) fields.refuse(ruleText(broken.rule, t("fields.password")));
      else if (error instanceof ApiError && error.code === "bad-link") onDeadLink();
      else setFailure({ text: resetErrorText(error), error });
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isHeld) return;
    fields.touchAll();
    if (fields.isValid) void send();
    else first.current?.focus();
  };

  return (
    <form noValidate aria-labelledby={titleId} onSubmit={submit} className="flex flex-col gap-4">
      {failure && <FailureBanner text={failure.text} error={failure.error} />}
      <NewPasswordField ref={first} label={t("reset.password")} {...fields.props("password")} />
      <PasswordField
        label={t("reset.confirmPassword")}
        autoComplete="new-password"
        {...fields.props("confirmPassword")}
      />
      <Button type="submit" size="large" busy={isSending} aria-disabled={isHeld || undefined} className="mt-2 w-full">
        {t(isSending ? "reset.submitting" : "reset.submit")}
      </Button>
    </form>
  );
}

/** A new password and its repetition: what stands in them, and what is wrong with that. */
function useTwoPasswords(linkedKey: string) {
  const { t } = useTranslation("accounts");
  const { passwordMin } = useAuthConfig();
  const [values, setValues] = useState<Record<Name, string>>({ password: "", confirmPassword: "" });
  const [touched, setTouched] = useState<readonly Name[]>([]);
  const [refused, setRefused] = useState<string | null>(null);
  const advice = usePasswordAdvice(values.password);

  const request = z.safeParse(resetPasswordSchema(passwordMin), { key: linkedKey, password: values.password });
  const issue = fieldIssues(request.error?.issues ?? []).find(({ field }) => field === "password");
  const guessable: BrokenRule | undefined = advice.isRefused && advice.reason ? { rule: advice.reason } : undefined;
  const broken = issue ?? guessable;
  const repeatRule: Rule = values.confirmPassword === "" ? "required" : "mismatch";
  const isRepeated = values.confirmPassword === values.password && values.confirmPassword !== "";
  const errors: Record<Name, string | undefined> = {
    password: broken ? issueText(broken, t("fields.password")) : (refused ?? undefined),
    confirmPassword: isRepeated ? undefined : issueText({ rule: repeatRule }, t("fields.confirmPassword")),
  };

  return {
    values,
    isValid: !broken && isRepeated,
    refuse: setRefused,
    touchAll: () => setTouched(names),
    props: (name: Name) => ({
      name,
      required: true,
      error: touched.includes(name) ? errors[name] : undefined,
      onInput: ({ currentTarget }: FormEvent<HTMLInputElement>) => {
        setRefused(null);
        setValues((before) => ({ ...before, [name]: currentTarget.value }));
      },
      onBlur: () => afterPointer(() => setTouched((before) => [...new Set([...before, name])])),
    }),
  };
}
