/** Invitations of several addresses by one request, with a result for each line. */

import * as z from "zod/mini";
import { accountRoles } from "../accounts/roles.ts";
import { looseText } from "../text/well-formed.ts";
import { groupIdField } from "./groups.ts";
import { INVITATION_LIFE_MAX_MS, INVITATION_LIFE_MIN_MS } from "./invitations.ts";

/** Lines of one request; longer lists are sent in several. */
export const INVITATIONS_AT_ONCE = 100;

/**
 * `lines`: addresses of any form, because an invalid one is reported in its result, and their notes. `mail`: the server
 * mails the links. `replace`: open invitations of the same addresses into the same group are revoked and made again.
 * The other fields are those of a single invitation.
 */
export const bulkInvitationsSchema = z.object({
  lines: z
    .array(z.object({ address: looseText(), note: z.optional(looseText()) }))
    .check(z.minLength(1), z.maxLength(INVITATIONS_AT_ONCE)),
  role: z.optional(z.enum(accountRoles)),
  lifeMs: z.optional(z.int().check(z.minimum(INVITATION_LIFE_MIN_MS), z.maximum(INVITATION_LIFE_MAX_MS))),
  groupId: groupIdField(),
  mail: z.optional(z.boolean()),
  replace: z.optional(z.boolean()),
});
export type BulkInvitations = z.infer<typeof bulkInvitationsSchema>;

/**
 * Results of a line. `already-invited`: there is an open invitation of the address into the group. `duplicate`: an
 * earlier line of the request has the address. `too-many-mails`: the account may mail no more invitations today.
 * `too-many-mails-to-address`: its mailbox has got as many as it may get in an hour. Only `invited` lines have changed
 * something.
 */
export const bulkOutcomes = [
  "invited",
  "already-invited",
  "duplicate",
  "invalid-address",
  "invalid-note",
  "too-many-mails",
  "too-many-mails-to-address",
] as const;
export type BulkOutcome = (typeof bulkOutcomes)[number];

/** `address`: as the request has it. `id`: of the new invitation, or of the open one. `link`: of a new one only. */
export const bulkResultSchema = z.object({
  address: z.string(),
  outcome: z.enum(bulkOutcomes),
  id: z.optional(z.string()),
  link: z.optional(z.string()),
});
export type BulkResult = z.infer<typeof bulkResultSchema>;

/** One result for each line, in their order. */
export const bulkResultsSchema = z.object({
  results: z.array(bulkResultSchema).check(z.maxLength(INVITATIONS_AT_ONCE)),
});
