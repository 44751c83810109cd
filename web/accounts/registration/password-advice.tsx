import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Guessable, guessable } from "#contract/passwords.ts";
import { issueText } from "../../api/problem-text.ts";
import { log } from "../../log.ts";
import { afterPointer } from "../../ui/after-pointer.ts";
import type { FieldProps } from "../../ui/components/field.tsx";
import { useAuthConfig } from "../auth-config.ts";
import { PasswordField } from "../password-field.tsx";

/** Who chooses the password, as far as it is known. */
export type Chooser = { username?: string; email?: string };

/** Words of a password may look like a common one on the way to a good one: advice waits for a pause (ms). */
const PAUSE_MS = 400;

type IsCommon = (word: string) => boolean;
let list: IsCommon | null = null;

async function loadList(): Promise<IsCommon> {
  list ??= (await import("./common-passwords.ts")).isCommonPassword;
  return list;
}

/** The list, once it is there; fetched when it is first needed. Without it nothing counts as common here: the server has its own. */
function useCommonPasswords(isNeeded: boolean): IsCommon {
  const [loaded, setLoaded] = useState<{ isCommon: IsCommon | null }>({ isCommon: list });
  useEffect(() => {
    if (!isNeeded || loaded.isCommon) return;
    let isGone = false;
    loadList().then(
      (isCommon) => {
        if (!isGone) setLoaded({ isCommon });
      },
      (cause: unknown) => log.warn("The list of common passwords could not be loaded", cause),
    );
    return () => {
      isGone = true;
    };
  }, [isNeeded, loaded]);
  return loaded.isCommon ?? (() => false);
}

/**
 * Why a new password is easily guessed, null where it is not or is too short anyway. `isRefused`: the server would not
 * take it (`PASSWORD_POLICY=strict`); otherwise it is only to be warned of.
 */
export function usePasswordAdvice(
  password: string,
  { username = "", email = "" }: Chooser = {},
): { reason: Guessable | null; isRefused: boolean } {
  const { passwordMin, passwordPolicy, productName } = useAuthConfig();
  const isCommon = useCommonPasswords(password !== "");
  const isShort = [...password].length < passwordMin;
  const reason = isShort ? null : guessable(password, { username, email, productName }, isCommon);
  return { reason, isRefused: reason !== null && passwordPolicy === "strict" };
}

type NewPasswordFieldProps = Omit<FieldProps, "type" | "end" | "warning" | "value" | "autoComplete"> & {
  chooser?: Chooser;
};

/**
 * A field in which a new password is chosen. Says under it where the password is easily guessed: as a warning, or as an
 * error once the field was left where the server would refuse it.
 */
export function NewPasswordField({ chooser, error, onInput, onBlur, ...field }: NewPasswordFieldProps) {
  const { t } = useTranslation("accounts");
  const [password, setPassword] = useState("");
  const [isLeft, setLeft] = useState(false);
  const { reason, isRefused } = usePasswordAdvice(useSettled(password), chooser);
  const refusal = reason && isRefused && isLeft ? issueText({ rule: reason }, t("fields.password")) : undefined;
  return (
    <PasswordField
      {...field}
      autoComplete="new-password"
      error={error ?? refusal}
      warning={reason && !isRefused ? t(`advice.${reason}`) : null}
      onInput={(event) => {
        setPassword(event.currentTarget.value);
        onInput?.(event);
      }}
      onBlur={(event) => {
        afterPointer(() => setLeft(true));
        onBlur?.(event);
      }}
    />
  );
}

/** The value as it was at the last pause. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
