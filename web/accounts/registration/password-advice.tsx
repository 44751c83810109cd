import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Guessable, guessable, type OwnerNames } from "#contract/accounts/passwords.ts";
import { issueText } from "../../api/problem-text.ts";
import { log } from "../../log.ts";
import { afterPointer } from "../../ui/after-pointer.ts";
import type { FieldProps } from "../../ui/components/fields/field.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";
import { useAuthConfig } from "../auth-config.ts";
import { PasswordField } from "../password-field.tsx";

/** Known names of the person, which make a password easily guessed. */
export type Chooser = Partial<OwnerNames>;

/** Debounce (ms): the beginning of a good password may look like a common one. */
const PAUSE_MS = 400;

type IsCommon = (word: string) => boolean;
let list: IsCommon | null = null;

async function loadList(): Promise<IsCommon> {
  list ??= (await import("./common-passwords.ts")).isCommonPassword;
  return list;
}

/** Loads the list on first need. Until then no password counts as common here; the server has a list of its own. */
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
 * Returns why a new password is easily guessed; null if it is not, or is too short anyway. `isRefused`: the server
 * would refuse it (`PASSWORD_POLICY=strict`); otherwise it only deserves a warning.
 */
export function usePasswordAdvice(
  password: string,
  { firstname = "", lastname = "", username = "", email = "" }: Chooser = {},
): { reason: Guessable | null; isRefused: boolean } {
  const { passwordMin, passwordPolicy, productName } = useAuthConfig();
  const isCommon = useCommonPasswords(password !== "");
  const isShort = [...password].length < passwordMin;
  const reason = isShort ? null : guessable(password, { firstname, lastname, username, email, productName }, isCommon);
  return { reason, isRefused: reason !== null && passwordPolicy === "strict" };
}

type NewPasswordFieldProps = Omit<FieldProps, "type" | "end" | "warning" | "value" | "autoComplete"> & {
  chooser?: Chooser;
};

/**
 * Field for a new password. Shows under it if the password is easily guessed: as a warning or, if the server would
 * refuse it, as an error after the first blur.
 */
export function NewPasswordField({ chooser, error, onInput, onBlur, ...field }: NewPasswordFieldProps) {
  const { t } = useTranslation("accounts");
  const [password, setPassword] = useState("");
  const [isLeft, setLeft] = useState(false);
  const { reason, isRefused } = usePasswordAdvice(useDebounced(password, PAUSE_MS), chooser);
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
