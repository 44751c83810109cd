import { oneOf, plainUrl, wholeNumber } from "../variable-schemas.ts";

export type PasswordSettings = {
  passwordMin: number;
  /** `strict` refuses passwords that are easily guessed, `plain` only warns. */
  passwordPolicy: "plain" | "strict";
  /** Base URL of the Pwned Passwords range API, or of a mirror of it; absent: no lookup. */
  breachLookupUrl?: string;
};

/** Variables that decide which new passwords are accepted. */
export const passwordVariables = {
  PASSWORD_MIN: wholeNumber(8, 128),
  PASSWORD_POLICY: oneOf("auto", "plain", "strict"),
  PASSWORD_BREACH_LOOKUP: plainUrl,
};

/** @param isReachable whether other machines can send requests, which `auto` depends on */
export function passwordSettingsOf(
  values: Readonly<Record<keyof typeof passwordVariables, string | undefined>>,
  isReachable: boolean,
): PasswordSettings {
  const { PASSWORD_POLICY: policy = "auto", PASSWORD_BREACH_LOOKUP: breachLookupUrl } = values;
  return {
    passwordMin: Number(values.PASSWORD_MIN ?? 8),
    passwordPolicy: policy === "strict" || (policy === "auto" && isReachable) ? "strict" : "plain",
    ...(breachLookupUrl && { breachLookupUrl }),
  };
}
