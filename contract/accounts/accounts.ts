import * as z from "zod/mini";
import {
  EMAIL_MAX,
  NAME_MAX,
  NAME_MIN,
  PASSWORD_MAX,
  PASSWORD_MIN,
  USERNAME_MAX,
  USERNAME_MIN,
  WORK_MAX,
} from "../limits.ts";
import { rule } from "../text/validation.ts";
import { timeField } from "../times.ts";
import { offeredProvidersSchema } from "./identity-providers.ts";
import { accountRoles } from "./roles.ts";

/** A required field. Only its first broken rule, in the given order, is reported. */
const required = (message = rule("required")) => z.string({ error: message }).check(z.minLength(1, { error: message }));

export const personNameField = () =>
  required().check(
    z.regex(/^[a-zA-Z]+$/, { error: rule("letters") }),
    z.minLength(NAME_MIN, { error: rule("min", NAME_MIN) }),
    z.maxLength(NAME_MAX, { error: rule("max", NAME_MAX) }),
  );

/** RFC 5321 and 1035: maximum lengths of local part and host, and valid host names. */
const isDeliverable = (address: string) => {
  const [local = "", host = ""] = address.split("@");
  return local.length <= 64 && host.split(".").every((label) => label.length <= 63 && !label.endsWith("-"));
};

export const newPasswordField = (min: number) =>
  required().check(
    z.refine((value) => [...value].length >= min, { error: rule("min", min) }),
    z.refine((value) => [...value].length <= PASSWORD_MAX, { error: rule("max", PASSWORD_MAX) }),
  );

export const usernameField = () =>
  required().check(
    z.regex(/^[a-zA-Z0-9]+$/, { error: rule("alphanumeric") }),
    z.minLength(USERNAME_MIN, { error: rule("min", USERNAME_MIN) }),
    z.maxLength(USERNAME_MAX, { error: rule("max", USERNAME_MAX) }),
  );

export const emailField = () =>
  required().check(
    z.maxLength(EMAIL_MAX, { error: rule("email") }),
    z.email({ error: rule("email") }),
    z.refine(isDeliverable, { error: rule("email") }),
  );

/** A password that is compared with the stored one; the rules for new passwords do not apply. */
export const presentPasswordField = () =>
  required().check(
    z.refine((value) => value.length <= 2 * PASSWORD_MAX && [...value].length <= PASSWORD_MAX, {
      error: rule("max", PASSWORD_MAX),
    }),
  );

/** The key in an invitation's link. A malformed one is answered like an unknown one. */
export const invitationKeyField = () => z.string().check(z.trim(), z.maxLength(512));

const registrationFields = (passwordMin: number) =>
  z.object({
    firstname: personNameField(),
    lastname: personNameField(),
    username: usernameField(),
    email: emailField(),
    password: newPasswordField(passwordMin),
  });

/**
 * Body of `POST auth/users/register`. `passwordMin` is the server's setting, from `auth/config`. With an `invitation`,
 * registration may be closed, or open for other domains only.
 */
export const registerSchema = (passwordMin = PASSWORD_MIN) =>
  z.extend(registrationFields(passwordMin), { invitation: z.optional(invitationKeyField()) });
export type RegisterRequest = z.infer<ReturnType<typeof registerSchema>>;

/** The registration form: the fields of the request and the repeated password, which is not sent. */
export const registerFormSchema = (passwordMin = PASSWORD_MIN) =>
  z.extend(registrationFields(passwordMin), { confirmPassword: required() }).check(
    z.refine((form) => form.password === form.confirmPassword, {
      error: rule("mismatch"),
      path: ["confirmPassword"],
      // Validated as soon as both fields are filled, whatever other fields lack.
      when: ({ value }) => {
        const { password, confirmPassword } = value as { password?: unknown; confirmPassword?: unknown };
        return typeof password === "string" && typeof confirmPassword === "string" && confirmPassword !== "";
      },
    }),
  );
export type RegisterForm = z.infer<ReturnType<typeof registerFormSchema>>;

/** A solution, if the server has asked for a proof of work. */
export const workField = () => z.optional(z.string().check(z.maxLength(WORK_MAX)));

export const loginSchema = z.object({
  username: required().check(z.maxLength(EMAIL_MAX, { error: rule("max", EMAIL_MAX) })),
  password: presentPasswordField(),
  work: workField(),
});
export type LoginRequest = z.infer<typeof loginSchema>;

export const googleLoginSchema = z.object({ id_token: required().check(z.maxLength(16_384)) });
/** `invitation` admits a new account; one that exists signs in without it. */
export const googleSignInSchema = z.extend(googleLoginSchema, { invitation: z.optional(invitationKeyField()) });

export const verifySchema = z.object({
  key: z
    .string({ error: rule("key") })
    .check(z.trim(), z.minLength(1, { error: rule("key") }), z.maxLength(512, { error: rule("invalid") })),
});
export type VerifyRequest = z.infer<typeof verifySchema>;

/** `email` is an address or a username: after a sign-in without verified email, the client has only what was typed. */
export const resendSchema = z.object({
  email: z
    .string({ error: rule("resendEmail") })
    .check(z.trim(), z.minLength(1, { error: rule("resendEmail") }), z.maxLength(EMAIL_MAX, { error: rule("email") })),
});

export const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  emailVerified: z.boolean(),
  /** Chosen preferences. A newer server may send names and values that this program does not know. */
  preferences: z.optional(z.looseObject({})),
  /** Absent: an account without rights of administration. */
  role: z.optional(z.enum(accountRoles)),
  /** Time (Unix time in ms) at which a reported loss removes the second factor. Absent without a report. */
  secondFactorEndsAt: z.optional(timeField()),
});
export type User = z.infer<typeof userSchema>;

export const authConfigSchema = z.object({
  productName: z.string(),
  passwordMin: z.number(),
  /** `strict`: passwords that are easily guessed are refused; with `plain`, the form only warns. */
  passwordPolicy: z.enum(["plain", "strict"]),
  registrationOpen: z.boolean(),
  /** No mail server is configured: links of mails are printed on the server's console. */
  isMailOnConsole: z.optional(z.literal(true)),
  googleClientId: z.optional(z.string()),
  /** Nonce for the Google id_token. Single use, valid for ten minutes. */
  googleNonce: z.optional(z.string()),
  /** Accounts here have passkeys: the sign-in page offers them. */
  hasPasskeys: z.optional(z.literal(true)),
  /** Identity providers by which people sign in. */
  identityProviders: z.optional(offeredProvidersSchema),
  /** People sign in by an identity provider alone: the pages offer no password and no registration. */
  isSsoOnly: z.optional(z.literal(true)),
  /** Limits of attached files, `maxBytes` of one; absent if files cannot be attached. */
  files: z.optional(z.object({ maxBytes: z.number(), maxPerMessage: z.number() })),
  /** Longest message, in UTF-16 units. */
  maxMessageChars: z.optional(z.number()),
});
export type AuthConfig = z.infer<typeof authConfigSchema>;

export const signedInSchema = z.object({
  access_token: z.string(),
  user: userSchema,
  emailVerified: z.boolean(),
  /** The account was scheduled for deletion; this sign-in cancelled it. */
  isKept: z.optional(z.boolean()),
  /** Sign-in by a mailed key in another browser than the one that registered or entered the password. */
  isOtherBrowser: z.optional(z.boolean()),
  /** The server was restored from a backup since the last sign-in by second factor: recovery codes have ended. */
  isRestored: z.optional(z.boolean()),
});
export type SignedIn = z.infer<typeof signedInSchema>;

/** Answer to a mailed key: a sign-in, or that the key has verified the account before, in the browser that registered. */
export const verifiedSchema = z.union([signedInSchema, z.object({ alreadyVerified: z.literal(true) })]);

/** Answer to every registration. It does not reveal whether the address has an account. */
export const registeredSchema = z.object({ message: z.string(), emailVerified: z.literal(false) });
export const REGISTRATION_SUCCESS = "Please check your email and click the verification link to activate your account.";

export const noticeSchema = z.object({ message: z.string() });
export const RESEND_SUCCESS = "Verification email sent successfully!";
