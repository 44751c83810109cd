import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type LoginRequest, loginSchema } from "#contract/accounts/accounts.ts";
import { MINUTE } from "#contract/limits.ts";
import { isEmailUnverified } from "../../api/problem-text.ts";
import { hasFinePointer } from "../../forms/has-fine-pointer.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import type { Failure } from "../../forms/use-sending.ts";
import { useWait } from "../../forms/use-wait.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";
import { useAuthConfig } from "../auth-config.ts";
import { loginErrorText } from "../error-texts.ts";
import { PasswordField } from "../password-field.tsx";
import { ReservedFailureBanner } from "../reserved-failure-banner.tsx";
import { signIn } from "../session/session.ts";
import type { TypedState } from "./path-after-sign-in.ts";
import { postLogin } from "./post-login.ts";
import { useFirstStep } from "./use-first-step.ts";

export type LoginFormProps = {
  titleId: string;
  failure: Failure | null;
  onFailure: (failure: Failure | null) => void;
  /** Called if the password is correct but the address is not verified yet. */
  onUnverified: (username: string) => void;
  onSubmitting?: (() => void) | undefined;
};

/** Wait (ms) from which the form offers the other way to sign in. */
const LONG_WAIT_MS = MINUTE / 2;

/** Sign-in form. Its fields are read on submit, because password managers may fill them without input events. */
export function LoginForm({ titleId, failure, onFailure, onUnverified, onSubmitting }: LoginFormProps) {
  const { t } = useTranslation("accounts");
  const [typed, setTyped] = useState("");
  const { waitMs, leftMs } = useWait(failure?.error);
  const password = useRef<HTMLInputElement>(null);
  const takeFirstStep = useFirstStep();
  const { hasPasskeys } = useAuthConfig();

  const send = async (request: LoginRequest) => {
    onFailure(null);
    onSubmitting?.();
    try {
      const answer = await takeFirstStep(() => postLogin(request));
      if (answer?.emailVerified) signIn(answer);
      else if (answer) onUnverified(request.username);
    } catch (error) {
      if (isEmailUnverified(error)) onUnverified(request.username);
      else onFailure({ text: loginErrorText(error), error });
    }
    return null;
  };
  const { formProps, fieldProps, isSending } = useCheckedForm({
    schema: loginSchema,
    labels: { username: t("fields.username"), password: t("fields.password") },
    isFocused: hasFinePointer(),
    textOf: loginErrorText,
    send,
  });

  // The button lost the focus because it was disabled; the password is the field most likely to be corrected.
  useEffect(() => {
    if (!failure || isSending) return;
    password.current?.focus();
    password.current?.select();
  }, [failure, isSending]);

  return (
    <form {...formProps} aria-labelledby={titleId} className="flex flex-col gap-2">
      <Field
        {...fieldProps("username")}
        label={t("login.username")}
        placeholder={t("login.usernamePlaceholder")}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          // The wait does not apply to another account.
          if (leftMs > 0) onFailure(null);
        }}
        autoComplete={hasPasskeys ? "username webauthn" : "username"}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <div className="relative">
        <PasswordField
          ref={password}
          {...fieldProps("password")}
          label={t("login.password")}
          placeholder={t("login.passwordPlaceholder")}
          autoComplete="current-password"
        />
        <ForgotLink typed={typed} text={t("login.forgot")} className={quietLink} />
      </div>
      <Button type="submit" size="large" busy={isSending} disabled={isSending || leftMs > 0} className="mt-1 w-full">
        {t(isSending ? "login.submitting" : "login.submit")}
      </Button>
      <ReservedFailureBanner failure={failure}>
        {waitMs >= LONG_WAIT_MS && <ForgotLink typed={typed} text={t("login.orReset")} className={textLink} />}
      </ReservedFailureBanner>
    </form>
  );
}

const quietLink =
  "absolute end-0 top-0 rounded-small text-muted text-sm underline-offset-[3px] transition-colors hover:text-ink " +
  "hover:underline pointer-coarse:-mt-5 pointer-coarse:pt-5 pointer-coarse:pb-1.5";

/** Passes the typed name in the history state, not in the address, which the browser history records. */
function ForgotLink({ typed, text, className }: { typed: string; text: string; className: string }) {
  const state: TypedState = { typed };
  return (
    <Link to="/forgot-password" state={state} className={className}>
      {text}
    </Link>
  );
}
