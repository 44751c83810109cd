import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type LoginRequest, loginSchema, signedInSchema } from "#contract/accounts.ts";
import { MINUTE } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { fieldIssues } from "#contract/validation.ts";
import { api } from "../api/client.ts";
import { isEmailUnverified, issueText } from "../api/problem-text.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { textLink } from "../ui/text-link.ts";
import { loginErrorText } from "./error-texts.ts";
import { FailureBanner } from "./failure-banner.tsx";
import { PasswordField } from "./password-field.tsx";
import type { TypedState } from "./path-after-sign-in.ts";
import { signIn } from "./session.ts";
import { useWait } from "./use-wait.ts";

export type Failure = { text: string; error: unknown };

export type LoginFormProps = {
  titleId: string;
  failure: Failure | null;
  onFailure: (failure: Failure | null) => void;
  /** The password was right and the address is not verified yet. */
  onUnverified: (username: string) => void;
  onSubmitting?: (() => void) | undefined;
};

/** Whoever is to wait for so long (ms) is told of the other way in. */
const LONG_WAIT_MS = MINUTE / 2;

type Errors = Partial<Record<keyof LoginRequest, string>>;

/**
 * Two required fields, read when they are sent: what a password manager filled in without a key press counts too.
 * (The form library that registration uses would be a tenth of this page.)
 */
export function LoginForm({ titleId, failure, onFailure, onUnverified, onSubmitting }: LoginFormProps) {
  const { t } = useTranslation("accounts");
  const [errors, setErrors] = useState<Errors>({});
  const [isSubmitting, setSubmitting] = useState(false);
  const [typed, setTyped] = useState("");
  const { waitMs, leftMs } = useWait(failure?.error);
  const username = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // On a phone the keyboard would cover the page before it was seen.
    if (window.matchMedia("(pointer: fine)").matches) username.current?.focus();
  }, []);

  // The button was disabled meanwhile and has lost the focus; the password is what is likely to be mended.
  useEffect(() => {
    if (!failure || isSubmitting) return;
    password.current?.focus();
    password.current?.select();
  }, [failure, isSubmitting]);

  const send = async (request: LoginRequest) => {
    onFailure(null);
    onSubmitting?.();
    setSubmitting(true);
    try {
      const answer = await api.post(paths.login, request, signedInSchema);
      if (answer.emailVerified) signIn(answer);
      else onUnverified(request.username);
    } catch (error) {
      if (isEmailUnverified(error)) onUnverified(request.username);
      else onFailure({ text: loginErrorText(error), error });
    } finally {
      setSubmitting(false);
    }
  };

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const checked = loginSchema.safeParse(Object.fromEntries(new FormData(event.currentTarget)));
    const broken = fieldIssues(checked.error?.issues ?? []);
    const errorOf = (name: keyof LoginRequest) => {
      const issue = broken.find(({ field }) => field === name);
      return issue ? { [name]: issueText(issue, t(`fields.${name}`)) } : {};
    };
    setErrors({ ...errorOf("username"), ...errorOf("password") });
    if (checked.success) void send(checked.data);
    else (broken[0]?.field === "password" ? password : username).current?.focus();
  };

  return (
    <form noValidate aria-labelledby={titleId} onSubmit={submit} className="flex flex-col gap-5">
      {failure && (
        <FailureBanner text={failure.text} error={failure.error}>
          {waitMs >= LONG_WAIT_MS && <ForgotLink typed={typed} text={t("login.orReset")} className={textLink} />}
        </FailureBanner>
      )}
      <Field
        ref={username}
        name="username"
        label={t("login.username")}
        placeholder={t("login.usernamePlaceholder")}
        error={errors.username}
        onInput={(event) => {
          setErrors(({ username: _, ...others }) => others);
          setTyped(event.currentTarget.value);
          // The time to wait is not another account's.
          if (leftMs > 0) onFailure(null);
        }}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
      />
      <div className="flex flex-col gap-2">
        <PasswordField
          ref={password}
          name="password"
          label={t("login.password")}
          placeholder={t("login.passwordPlaceholder")}
          error={errors.password}
          onInput={() => setErrors(({ password: _, ...others }) => others)}
          autoComplete="current-password"
          required
        />
        <ForgotLink typed={typed} text={t("login.forgot")} className={quietLink} />
      </div>
      <Button
        type="submit"
        size="large"
        busy={isSubmitting}
        disabled={isSubmitting || leftMs > 0}
        className="mt-1 w-full"
      >
        {t(isSubmitting ? "login.submitting" : "login.submit")}
      </Button>
    </form>
  );
}

const quietLink =
  "self-end rounded-small text-muted text-sm underline-offset-[3px] transition-colors hover:text-ink hover:underline " +
  "pointer-coarse:-my-2 pointer-coarse:py-3";

/** Takes what was typed along, though not in the address: histories keep those. */
function ForgotLink({ typed, text, className }: { typed: string; text: string; className: string }) {
  const state: TypedState = { typed };
  return (
    <Link to="/forgot-password" state={state} className={className}>
      {text}
    </Link>
  );
}
