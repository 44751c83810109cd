import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import type { PasskeyAssertion } from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { type SecondStepRequest, TOTP_DIGITS } from "#contract/accounts/second-factor.ts";
import { rule } from "#contract/text/validation.ts";
import { ApiError } from "../../api/api-error.ts";
import { api } from "../../api/client.ts";
import { useCheckedForm } from "../../forms/use-checked-form.ts";
import type { Failure } from "../../forms/use-sending.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { useGoToSettings } from "../../ui/use-go-to-settings.ts";
import { loginErrorText } from "../error-texts.ts";
import { passkeyErrorText } from "../passkeys/passkey-button.tsx";
import { currentSession, endOnServer, signIn } from "../session/session.ts";
import type { SecondStepProps } from "./second-step.ts";

const formSchema = z.object({
  code: z.string().check(z.trim(), z.minLength(1, { error: rule("required") })),
  remember: z.optional(z.string()),
});

const isExpired = (error: unknown) => error instanceof ApiError && error.code === "second-step-expired";

const isCodeOfApp = (typed: string) => new RegExp(`^\\d{${TOTP_DIGITS}}$`).test(typed.replace(/\s/g, ""));

/** State of the form for the second step. `onClose`: called before `onExpired`. */
export function useSecondStep({ ticket, onExpired, onClose }: SecondStepProps & { onClose: () => void }) {
  const { t } = useTranslation("secondStep");
  const [isRecovery, setRecovery] = useState(false);
  /** Whether the server has refused a code: the next one is sent by the button only, as each guess counts. */
  const [isRefused, setRefused] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const complete = useComplete();

  const send = async ({ code, remember }: z.infer<typeof formSchema>) => {
    try {
      await complete({ ticket, code, ...(remember !== undefined && { remember: true }) });
    } catch (error) {
      setRefused(true);
      const reason = error instanceof ApiError ? error.code : undefined;
      if (reason === "codes-unreadable") setRecovery(true);
      if (!isExpired(error)) throw error;
      onClose();
      onExpired({ text: loginErrorText(error), error });
    }
    return null;
  };
  const form = useCheckedForm({
    schema: formSchema,
    labels: { code: t(isRecovery ? "recoveryCode" : "code") },
    fieldOfCode: { "wrong-code": "code" },
    textOf: loginErrorText,
    isFocused: true,
    send,
  });
  const { error, onInput, ...named } = form.fieldProps("code");

  useEffect(() => {
    if (!error && !form.failure) return;
    input.current?.focus();
    input.current?.select();
  }, [error, form.failure]);

  const field = {
    ...named,
    ref: input,
    error,
    onInput: ({ currentTarget }: FormEvent<HTMLInputElement>) => {
      onInput();
      if (!isRecovery && !isRefused && !form.isHeld && isCodeOfApp(currentTarget.value)) {
        currentTarget.form?.requestSubmit();
      }
    },
  };
  const toggle = () => {
    onInput();
    form.dismiss();
    setRecovery(!isRecovery);
  };
  const [passkeyFailure, setPasskeyFailure] = useState<Failure | null>(null);
  const passkey = {
    failure: passkeyFailure,
    onStart: () => {
      form.dismiss();
      setPasskeyFailure(null);
    },
    onPasskey: (shown: PasskeyAssertion) => {
      const isRemembered = input.current?.form ? new FormData(input.current.form).has("remember") : false;
      return complete({ ticket, passkey: shown, ...(isRemembered && { remember: true }) });
    },
    onFailure: (error: unknown) => {
      const failure = { text: passkeyErrorText(error), error };
      if (!isExpired(error)) return setPasskeyFailure(failure);
      onClose();
      onExpired(failure);
    },
  };
  return { form, field, isRecovery, toggle, passkey };
}

/** Returns the function that completes the sign-in. It ends the session of another account that was signed in here. */
function useComplete() {
  const { t } = useTranslation("secondStep");
  const goToSettings = useGoToSettings();
  return async (request: SecondStepRequest) => {
    const { token: before } = currentSession();
    const answer = await api.post(accountPaths.secondStep, request, signedInSchema, { quiet401: true });
    signIn(answer);
    if (before !== null) void endOnServer(before);
    if (answer.isRestored !== true) return;
    const action = { label: t("openSecurity"), run: () => goToSettings("security") };
    notify("info", t("restored"), { action });
  };
}
