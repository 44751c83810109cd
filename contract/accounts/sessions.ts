/** Sessions and security log of an account. Times are Unix times in ms. */

import * as z from "zod/mini";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

/** Details of a browser or program; empty if unknown. */
const clientFields = { browser: z.string(), system: z.string(), ip: z.string() };

export const signInMethods = ["password", "google", "mail", "passkey", "sso"] as const;

export const sessionSchema = z.object({
  id: z.string(),
  isCurrent: z.boolean(),
  method: z.enum(signInMethods),
  ...clientFields,
  createdAt: timeField(),
  lastSeenAt: timeField(),
});
export type AccountSession = z.infer<typeof sessionSchema>;
/** An id of any form: a malformed one is answered with "not found", like an unknown one. */
export const sessionParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });
/** The requesting session first, then by last use. */
export const sessionListSchema = z.array(sessionSchema);

/** All kinds of events in an account's security log. */
export const securityEventKinds = [
  "registered",
  "verified",
  "signed-in",
  "sign-in-failed",
  "sign-in-throttled",
  "signed-out",
  "session-ended",
  "other-sessions-ended",
  "password-changed",
  "password-reset-asked",
  "password-reset",
  "password-set",
  "names-changed",
  "username-changed",
  "instructions-changed",
  "email-change-asked",
  "email-change-cancelled",
  "email-changed",
  "email-change-undone",
  "google-connected",
  "google-disconnected",
  "second-factor-on",
  "second-factor-off",
  "second-factor-reset",
  "second-factor-failed",
  "second-factor-loss-asked",
  "second-factor-loss-begun",
  "second-factor-loss-stopped",
  "second-factor-lost",
  "recovery-code-used",
  "recovery-codes-renewed",
  "remembered-browsers-ended",
  "passkey-added",
  "passkey-removed",
  "identity-connected",
  "identity-disconnected",
  "signed-out-by-provider",
  "deletion-asked",
  "deletion-cancelled",
  "disabled",
  "enabled",
] as const;
export type SecurityEventKind = (typeof securityEventKinds)[number];

export const securityEventSchema = z.object({
  id: z.string(),
  kind: z.enum(securityEventKinds),
  at: timeField(),
  ...clientFields,
});
export type SecurityEvent = z.infer<typeof securityEventSchema>;
export const SECURITY_LOG_PAGE = 50;
/** Newest first. */
export const securityLogSchema = z.array(securityEventSchema).check(z.maxLength(SECURITY_LOG_PAGE));

/** `before`: id of an event; only older events are returned. */
export const securityLogQuerySchema = z.object({ before: z.optional(looseText(64)) });
