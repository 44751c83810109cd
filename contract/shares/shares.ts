/** Links to snapshots of chats, as their owners make, list and revoke them. */

import * as z from "zod/mini";
import { CHAT_TITLE_MAX } from "../limits.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

/** Links of one account that can be opened. */
export const SHARES_MAX = 100;

/** Who can open a link, from the widest to the narrowest. `group`: members of the group of its owner. */
export const shareAudiences = ["anyone", "signed-in", "group"] as const;
export type ShareAudience = (typeof shareAudiences)[number];

/** Lives of links in days that their owners can choose. */
export const shareDays = [1, 7, 30] as const;

/** Which parts of a chat its snapshot contains beside the text. `author`: the full name of the account. */
export const shareOptionsSchema = z.object({
  reasoning: z.boolean(),
  tools: z.boolean(),
  files: z.boolean(),
  author: z.boolean(),
});
export type ShareOptions = z.infer<typeof shareOptionsSchema>;

export const defaultShareOptions: ShareOptions = { reasoning: false, tools: false, files: true, author: false };

/** A rendered snapshot that only its owner can open. A newer draft of the account replaces it. */
export const shareDraftSchema = z.object({
  id: z.string(),
  chatId: z.string(),
  title: z.string().check(z.maxLength(CHAT_TITLE_MAX)),
  options: shareOptionsSchema,
  createdAt: timeField(),
});
export type ShareDraft = z.infer<typeof shareDraftSchema>;

/**
 * Makes a draft a link. `days`: life of the link from now on; null: without end. `replaces`: id of a link to the same
 * chat, whose address leads to this snapshot from now on.
 */
export const publicationSchema = z.object({
  audience: z.enum(shareAudiences),
  days: z.nullable(z.union(shareDays.map((days) => z.literal(days)))),
  replaces: z.optional(looseText(64)),
});
export type Publication = z.infer<typeof publicationSchema>;

/**
 * A link. `url`: null if the server's secret has changed since it was made: its address still works, but cannot be shown.
 * `isPaused`: readers cannot open it: an administrator has switched links off, or the owner has left the group.
 * `group`: name of the group that a link is for. `visits`: how often others have opened it.
 */
export const shareSchema = z.extend(shareDraftSchema, {
  url: z.nullable(z.string()),
  audience: z.enum(shareAudiences),
  expiresAt: z.nullable(timeField()),
  visits: z.int(),
  group: z.optional(z.string()),
  isPaused: z.boolean(),
});
export type Share = z.infer<typeof shareSchema>;

/**
 * What an account may do. `audiences`: the audiences that it can choose; empty if links are off for it. `group`: name of its
 * group. `daysMax`: longest life of a link; null: without end.
 */
export const shareRulesSchema = z.object({
  audiences: z.array(z.enum(shareAudiences)).check(z.maxLength(shareAudiences.length)),
  group: z.optional(z.string()),
  daysMax: z.nullable(z.int()),
});
export type ShareRules = z.infer<typeof shareRulesSchema>;

/** The links of an account that have not expired, the newest first. */
export const shareListSchema = z.object({
  rules: shareRulesSchema,
  shares: z.array(shareSchema).check(z.maxLength(SHARES_MAX)),
});
export type ShareList = z.infer<typeof shareListSchema>;

/** How many links a request has revoked. */
export const revocationSchema = z.object({ revoked: z.int() });
export type Revocation = z.infer<typeof revocationSchema>;

/** Ids and tokens of any form: malformed ones are answered with "not found", like unknown ones. */
const loose = () => z.string().check(z.overwrite(wellFormed));
export const shareParamsSchema = z.object({ id: loose() });
export const shareFileParamsSchema = z.object({ id: loose(), position: loose() });
export const sharedParamsSchema = z.object({ token: loose() });
export const sharedFileParamsSchema = z.object({ token: loose(), position: loose() });
export const sharedFileQuerySchema = z.object({ snapshot: z.optional(loose()) });

/** The chat that a copy has made. */
export const sharedCopySchema = z.object({ id: z.string() });
export type SharedCopy = z.infer<typeof sharedCopySchema>;
