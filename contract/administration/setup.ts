/** First steps of the owner of a new installation. Times are Unix times in ms. */

import * as z from "zod/mini";
import { timeField } from "../times.ts";

/** Path of the first steps, relative to `API_BASE`. */
export const SETUP_PATH = "/admin/setup";

export const setupSteps = ["provider", "name", "registration", "mail", "search", "people"] as const;
/** Steps without which people cannot use the server as it is meant; the defaults of the others are right. */
export const neededSteps = ["mail", "provider"] as const satisfies readonly SetupStep[];
export type SetupStep = (typeof setupSteps)[number];
export const setupStates = ["done", "todo", "skipped"] as const;
export type SetupState = (typeof setupStates)[number];

const steps = z.object({
  /** The product's name is not the default. */
  name: z.enum(setupStates),
  /** Who may register is not the default. */
  registration: z.enum(setupStates),
  /** A mail server is configured. */
  mail: z.enum(setupStates),
  /** At least one provider of models is configured. */
  provider: z.enum(setupStates),
  /** A search engine can be used. */
  search: z.enum(setupStates),
  /** Somebody was invited, or several people have accounts. */
  people: z.enum(setupStates),
});

/** `dismissedAt`: when the owner closed the hint for good. */
export const setupSchema = z.object({ steps, dismissedAt: z.optional(timeField()) });
export type Setup = z.infer<typeof setupSchema>;

/** `skipped`: replaces the steps that the owner skips. */
export const changeSetupSchema = z.object({
  isDismissed: z.optional(z.literal(true)),
  skipped: z.optional(z.array(z.enum(setupSteps)).check(z.maxLength(setupSteps.length))),
});
export type ChangeSetup = z.infer<typeof changeSetupSchema>;

/**
 * Result of a test mail: the mail server accepted it (without a mail server: it is a file), refused it for good, or it
 * is tried again.
 */
export const testMailSchema = z.object({ to: z.string(), state: z.enum(["sent", "refused", "waiting"]) });
export type TestMail = z.infer<typeof testMailSchema>;
