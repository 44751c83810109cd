/** Invitations: links by which people register. Times are Unix times in ms. */

import * as z from "zod/mini";
import { emailField, invitationKeyField } from "../accounts/accounts.ts";
import { type AccountRole, accountRoles, mayGiveRole } from "../accounts/roles.ts";
import { DAY, HOUR } from "../limits.ts";
import { oneLine } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";
import { groupIdField, namedGroupSchema } from "./groups.ts";

export const INVITATION_USES_MAX = 1000;
export const INVITATION_LIFE_MIN_MS = HOUR;
export const INVITATION_LIFE_MAX_MS = 90 * DAY;
export const INVITATION_LIFE_DEFAULT_MS = 7 * DAY;
export const CLASS_CODE_LIFE_MAX_MS = 8 * HOUR;
export const CLASS_CODE_LIFE_DEFAULT_MS = HOUR;
export const CLASS_CODE_USES_DEFAULT = 40;
/** In UTF-16 units. */
export const INVITATION_NOTE_MAX = 100;

/** Returns whether an account with `role` may revoke an invitation that it sees and that gives the role `given`. */
export function mayRevoke(role: AccountRole, given: AccountRole): boolean {
  return role === "owner" || given === "person" || mayGiveRole(role, given);
}

const noteField = () =>
  z.string().check(z.overwrite(oneLine), z.maxLength(INVITATION_NOTE_MAX, { error: rule("max", INVITATION_NOTE_MAX) }));

/**
 * `address`: only this address can use the invitation, once. `uses`: number of accounts, 1 by default. `mail`: the server
 * mails the link to the address. `note`: for the list of invitations; the invited person never sees it. `groupId`: group
 * of the accounts; a manager invites into their own group. `classCode`: the invitation has a short code too; it is for
 * several persons and ends after hours. `trustedOnly`: only requests from trusted networks can use it.
 */
export const newInvitationSchema = z
  .object({
    address: z.optional(emailField()),
    uses: z.optional(z.int().check(z.minimum(1), z.maximum(INVITATION_USES_MAX))),
    role: z.optional(z.enum(accountRoles)),
    lifeMs: z.optional(z.int().check(z.minimum(INVITATION_LIFE_MIN_MS), z.maximum(INVITATION_LIFE_MAX_MS))),
    note: z.optional(noteField()),
    mail: z.optional(z.boolean()),
    groupId: groupIdField(),
    classCode: z.optional(z.boolean()),
    trustedOnly: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ mail, address }) => !mail || address !== undefined, { error: rule("required"), path: ["address"] }),
    z.refine(({ uses = 1, address }) => uses === 1 || address === undefined, {
      error: rule("invalid"),
      path: ["uses"],
    }),
    z.refine(({ classCode, address }) => !classCode || address === undefined, {
      error: rule("invalid"),
      path: ["address"],
    }),
    z.refine(({ classCode, role = "person" }) => !classCode || role === "person", {
      error: rule("invalid"),
      path: ["role"],
    }),
    z.refine(({ classCode, lifeMs = 0 }) => !classCode || lifeMs <= CLASS_CODE_LIFE_MAX_MS, {
      error: rule("invalid"),
      path: ["lifeMs"],
    }),
    z.refine(({ classCode, trustedOnly }) => !trustedOnly || classCode, {
      error: rule("invalid"),
      path: ["trustedOnly"],
    }),
  );
export type NewInvitation = z.infer<typeof newInvitationSchema>;

/** State of an invitation. The first that applies counts: `revoked`, `used` (by as many as it allows), `expired`. */
export const invitationStates = ["active", "used", "expired", "revoked"] as const;
export type InvitationState = (typeof invitationStates)[number];

export const INVITATIONS_PAGE = 50;
/** Accounts listed for one invitation, the newest ones. */
export const INVITATION_USERS_MAX = 100;

/** `username` of `createdBy` is absent if the account is gone. `uses` counts accounts that were deleted later, too. */
export const invitationSchema = z.object({
  id: z.string(),
  state: z.enum(invitationStates),
  createdAt: timeField(),
  createdBy: z.object({ id: z.string(), username: z.optional(z.string()) }),
  expiresAt: timeField(),
  address: z.optional(z.string()),
  uses: z.int(),
  usesMax: z.int(),
  role: z.enum(accountRoles),
  note: z.string(),
  group: z.optional(namedGroupSchema),
  /** Absent if it has only a link. `isDead`: too many wrong codes were entered, and only the link works. */
  classCode: z.optional(z.object({ isDead: z.boolean(), trustedOnly: z.boolean() })),
  /** Accounts that registered with it, newest first. `isVerified`: the person has verified the address. */
  users: z
    .array(z.object({ id: z.string(), username: z.string(), at: timeField(), isVerified: z.boolean() }))
    .check(z.maxLength(INVITATION_USERS_MAX)),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** Newest first. `hasTrustedNetworks`: whether invitations can be limited to some. */
export const invitationListSchema = z.object({
  invitations: z.array(invitationSchema).check(z.maxLength(INVITATIONS_PAGE)),
  hasTrustedNetworks: z.boolean(),
});
export type InvitationList = z.infer<typeof invitationListSchema>;

/** `before`: id of an invitation; only older ones are returned. */
export const invitationsQuerySchema = z.object({ before: z.optional(looseText(64)) });

/** An id of any form: a malformed one is answered with "not found", like an unknown one. */
export const invitationParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

/** `link` contains the key, which no later answer contains. `code`: the class code, likewise, as `ABCD-EFGH`. */
export const createdInvitationSchema = z.object({
  invitation: invitationSchema,
  link: z.string(),
  code: z.optional(z.string()),
});
export type CreatedInvitation = z.infer<typeof createdInvitationSchema>;

export const invitationKeySchema = z.object({ key: invitationKeyField() });

/** An invitation for the person who opens its link. `inviter`: a name, absent if the account is gone. */
export const receivedInvitationSchema = z.object({
  inviter: z.optional(z.string()),
  address: z.optional(z.string()),
  productName: z.string(),
});
export type ReceivedInvitation = z.infer<typeof receivedInvitationSchema>;
