/** Second factor of an account: codes of an authenticator app (TOTP, RFC 6238), and recovery codes. */

import * as z from "zod/mini";
import { timeField } from "../times.ts";
import { signedInSchema } from "./accounts.ts";
import { codeField } from "./code-field.ts";
import { passkeyAssertionSchema } from "./passkeys.ts";

/** Digits of a code of an authenticator app. */
export const TOTP_DIGITS = 6;
/** Recovery codes of an account, each of which signs in once. */
export const RECOVERY_CODES = 10;
/** Characters of a recovery code without separators: 80 bits in base32. */
export const RECOVERY_CODE_CHARS = 16;
/** Days for which a browser can be remembered, so that it is not asked for a code. */
export const REMEMBERED_DAYS = 30;

/** Hours between the mailed link about a lost second factor and its end, in which the owner is notified everywhere. */
export const LOSS_WAIT_HOURS = 72;

const TICKET_MAX = 128;
const ENROLMENT_MAX = 512;

const ticketField = () => z.string().check(z.minLength(1), z.maxLength(TICKET_MAX));

const secondStepFields = { ticket: ticketField(), remember: z.optional(z.boolean()) };

/**
 * Completes a sign-in whose first step was answered with a ticket, by a code or by a passkey of the account. `remember`:
 * this browser is not asked again for {@link REMEMBERED_DAYS}.
 */
export const secondStepSchema = z.union([
  z.object({ ...secondStepFields, code: codeField() }),
  z.object({ ...secondStepFields, passkey: passkeyAssertionSchema }),
]);
export type SecondStepRequest = z.infer<typeof secondStepSchema>;

/** Asks for a mail by whose link a lost second factor ends after {@link LOSS_WAIT_HOURS}. */
export const secondStepLossSchema = z.object({ ticket: ticketField() });
export const SECOND_STEP_LOSS_SUCCESS = "A mail with a link is on its way.";
/** `endsAt`: from then on the account needs no second factor. */
export const secondFactorLossSchema = z.object({ endsAt: timeField() });

/** Second factor of the signed-in account. Times are Unix times in ms. */
export const secondFactorSchema = z.object({
  createdAt: timeField(),
  /** Null until a code of the app has been used to sign in. */
  lastUsedAt: z.nullable(timeField()),
  recoveryCodesLeft: z.number(),
  /** Browsers that are not asked for a code. */
  rememberedBrowsers: z.number(),
  /** Time at which a reported loss removes the factor; null without a report. */
  endsAt: z.nullable(timeField()),
});
export type SecondFactor = z.infer<typeof secondFactorSchema>;

/**
 * A new secret for an authenticator app. `secret`: in base32; `uri`: the same as `otpauth:` address, for a QR code;
 * `enrolment`: sealed secret, which {@link confirmTotpSchema} returns.
 */
export const totpEnrolmentSchema = z.object({ secret: z.string(), uri: z.string(), enrolment: z.string() });
export type TotpEnrolment = z.infer<typeof totpEnrolmentSchema>;

/** Switches the second factor on. `code`: proves that the app has the secret. */
export const confirmTotpSchema = z.object({
  enrolment: z.string().check(z.minLength(1), z.maxLength(ENROLMENT_MAX)),
  code: codeField(),
});
export type ConfirmTotp = z.infer<typeof confirmTotpSchema>;

/** Begins the set-up of a required second factor, after a first step that was answered with a ticket for it. */
export const secondStepEnrolmentSchema = z.object({ ticket: ticketField() });
/** {@link confirmTotpSchema} at a sign-in, which it completes. */
export const secondStepSetUpSchema = z.extend(confirmTotpSchema, { ticket: ticketField() });
export type SecondStepSetUp = z.infer<typeof secondStepSetUpSchema>;

/** A change of the second factor, which needs a code of it. */
export const secondFactorCodeSchema = z.object({ code: codeField() });

/** All recovery codes of the account. They are answered once, and replace earlier ones. */
export const recoveryCodesSchema = z.object({
  recoveryCodes: z.array(z.string()).check(z.maxLength(RECOVERY_CODES)),
});
export type RecoveryCodes = z.infer<typeof recoveryCodesSchema>;

/** A sign-in that has set the second factor up, with its recovery codes. */
export const setUpSignedInSchema = z.extend(signedInSchema, recoveryCodesSchema.shape);
export type SetUpSignedIn = z.infer<typeof setUpSignedInSchema>;
