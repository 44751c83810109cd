/** Requests and answers of account settings, and of the links that are sent by email. */

import * as z from "zod/mini";
import { EMAIL_MAX, PASSWORD_MIN } from "../limits.ts";
import { rule } from "../text/validation.ts";
import { timeField } from "../times.ts";
import { emailField, newPasswordField, personNameField, presentPasswordField, usernameField } from "./accounts.ts";
import { passkeyAssertionSchema } from "./passkeys.ts";
import { secondFactorSchema } from "./second-factor.ts";
import { directoryCredentialsSchema, ssoAnswerSchema } from "./single-sign-on.ts";

const key = z
  .string({ error: rule("key") })
  .check(z.trim(), z.minLength(1, { error: rule("key") }), z.maxLength(512, { error: rule("invalid") }));

/** A key from a link that was sent by email. */
export const mailedKeySchema = z.object({ key });
export type MailedKeyRequest = z.infer<typeof mailedKeySchema>;

/** Purposes of a mailed key. */
export const mailedKeyPurposes = [
  "verify-email",
  "confirm-password",
  "reset-password",
  "change-email",
  "undo-email",
  "lose-factor",
  "keep-factor",
  "sign-in",
] as const;
/** Purpose of a mailed key and the account's username. The email address that it was sent to is left out. */
export const mailedKeyAnswerSchema = z.object({ purpose: z.enum(mailedKeyPurposes), username: z.string() });
export type MailedKeyAnswer = z.infer<typeof mailedKeyAnswerSchema>;

/** `email` is an address or a username. */
export const forgotPasswordSchema = z.object({
  email: z
    .string({ error: rule("required") })
    .check(z.trim(), z.minLength(1, { error: rule("required") }), z.maxLength(EMAIL_MAX, { error: rule("email") })),
});
export type ForgotPasswordRequest = z.infer<typeof forgotPasswordSchema>;
export const FORGOT_PASSWORD_SUCCESS =
  "If there is an account for that, a mail with a link to set a new password is on its way.";

export const resetPasswordSchema = (passwordMin = PASSWORD_MIN) =>
  z.object({ key, password: newPasswordField(passwordMin) });
export type ResetPasswordRequest = z.infer<ReturnType<typeof resetPasswordSchema>>;
export const RESET_PASSWORD_SUCCESS = "Your password was changed. Please sign in with the new one.";

/** Last sign-ins by each way (Unix times in ms); absent: none is recorded. `recoveryCode`: of the present ones. */
export const lastSignInsSchema = z.object({
  password: z.optional(timeField()),
  google: z.optional(timeField()),
  recoveryCode: z.optional(timeField()),
});
export type LastSignIns = z.infer<typeof lastSignInsSchema>;

/** Account details for the settings page, beyond `auth/me`. */
export const accountDetailsSchema = z.object({
  hasPassword: z.boolean(),
  hasGoogle: z.boolean(),
  hasPasskeys: z.optional(z.literal(true)),
  /** Has an identity at a provider. */
  hasIdentities: z.optional(z.literal(true)),
  /** New email address that is not confirmed yet. */
  pendingEmail: z.nullable(z.string()),
  createdAt: timeField(),
  /** Null: the password, Google or a mailed key suffices to sign in. */
  secondFactor: z.nullable(secondFactorSchema),
  lastSignIns: lastSignInsSchema,
  /** Whether the account must have one: it cannot be switched off. */
  needsSecondFactor: z.boolean(),
});
export type AccountDetails = z.infer<typeof accountDetailsSchema>;

/**
 * Re-authentication: the password, a Google id_token of the connected Google account, a passkey, a new sign-in at a connected
 * identity provider, or the password of a connected directory. Valid for ten
 * minutes in the session that sent it.
 */
export const proofSchema = z.union([
  z.object({ password: presentPasswordField() }),
  z.object({ id_token: z.string().check(z.minLength(1), z.maxLength(16_384)) }),
  z.object({ passkey: passkeyAssertionSchema }),
  z.object({ sso: ssoAnswerSchema }),
  z.object({ directory: directoryCredentialsSchema }),
]);
export type ProofRequest = z.infer<typeof proofSchema>;
export const provedSchema = z.object({ provedUntil: timeField() });
export type Proved = z.infer<typeof provedSchema>;

export const namesSchema = z.object({ firstname: personNameField(), lastname: personNameField() });

/** Partial change. */
export const changeNamesSchema = z.partial(namesSchema);
export type NamesChange = z.infer<typeof changeNamesSchema>;

export const usernameSchema = z.object({ username: usernameField() });
export type UsernameRequest = z.infer<typeof usernameSchema>;

/** `currentPassword` is required if the account has a password. */
export const changePasswordSchema = (passwordMin = PASSWORD_MIN) =>
  z.object({ currentPassword: z.optional(presentPasswordField()), password: newPasswordField(passwordMin) });
export type ChangePasswordRequest = z.infer<ReturnType<typeof changePasswordSchema>>;

export const changeEmailSchema = z.object({ email: emailField() });
export type ChangeEmailRequest = z.infer<typeof changeEmailSchema>;
export const CHANGE_EMAIL_SUCCESS = "A mail with a link to confirm the new address is on its way.";

/** Deletes the account immediately, or in 14 days unless its owner signs in before. */
export const deletionSchema = z.object({ isImmediate: z.boolean() });
export type DeletionRequest = z.infer<typeof deletionSchema>;
/** `deleteAt` is null if the account is deleted already. */
export const deletionAnswerSchema = z.object({ deleteAt: z.nullable(timeField()) });
export type DeletionAnswer = z.infer<typeof deletionAnswerSchema>;
