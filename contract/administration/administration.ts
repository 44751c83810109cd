/**
 * Accounts and records as administrators see them. Nothing here holds chats, files' names or other words of an account.
 * Times are Unix times in ms.
 */

import * as z from "zod/mini";
import { lastSignInsSchema } from "../accounts/account-settings.ts";
import { ownershipOfferSchema } from "../accounts/ownership.ts";
import { accountRoles } from "../accounts/roles.ts";
import { signInMethods } from "../accounts/sessions.ts";
import { IDENTITIES_MAX } from "../accounts/single-sign-on.ts";
import { type ErrorCode, errorSentences } from "../errors.ts";
import { QUOTA_MAX_MB, SEARCH_MAX } from "../limits.ts";
import { budgetStateSchema, budgetUsdSchema } from "../models/budgets.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";
import { auditKinds } from "./audit.ts";
import { GROUPS_MAX, groupIdField, namedGroupSchema } from "./groups.ts";

const role = z.enum(accountRoles);

/**
 * State of an account. The first that applies counts: `leaving`: its deletion is scheduled or due; `disabled`;
 * `unverified`: its address is not verified; else `active`.
 */
export const accountStates = ["leaving", "disabled", "unverified", "active"] as const;
export type AccountState = (typeof accountStates)[number];

/** Ways by which an account can sign in, in this order. */
export const signInWays = ["password", "google", "passkey", "sso"] as const;
export type SignInWay = (typeof signInWays)[number];

export const accountSorts = ["created", "name", "seen", "stored", "replies", "cost"] as const;
export type AccountSort = (typeof accountSorts)[number];
export const sortDirections = ["asc", "desc"] as const;
export type SortDirection = (typeof sortDirections)[number];

export const ACCOUNTS_PAGE = 50;

const accountFilter = {
  /** Part of a username, an address, a first or a last name, in any case; or a whole id. */
  q: z.optional(looseText(SEARCH_MAX)),
  role: z.optional(role),
  state: z.optional(z.enum(accountStates)),
  way: z.optional(z.enum(signInWays)),
  /** Id of a group, or `NO_GROUP`. Managers get the members of their own group only. */
  group: z.optional(looseText(64)),
  /** Default: `created`. `name` is the username. Accounts without a sign-in are sorted by the time 0. */
  sort: z.optional(z.enum(accountSorts)),
  /** Default: `desc`. */
  direction: z.optional(z.enum(sortDirections)),
};

/** Query of the list as CSV: all accounts that match. */
export const accountsCsvQuerySchema = z.object(accountFilter);
export type AccountsCsvQuery = z.infer<typeof accountsCsvQuerySchema>;

/** `after`: `next` of the page before, which had the same sort and direction. */
export const accountsQuerySchema = z.object({ ...accountFilter, after: z.optional(looseText(512)) });
export type AccountsQuery = z.infer<typeof accountsQuerySchema>;

/** Of this calendar month (UTC). */
const accountUsage = {
  replies: z.int(),
  /** US dollars; absent if no call has a price. */
  cost: z.optional(z.number()),
};

const listedAccount = {
  id: z.string(),
  username: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  email: z.string(),
  role,
  state: z.enum(accountStates),
  createdAt: timeField(),
  /** Last use of any session, exact to about a minute. Absent before the first sign-in. */
  lastSeenAt: z.optional(timeField()),
  /** Bytes of its chats and files. */
  storedBytes: z.number(),
  usage: z.object(accountUsage),
  /** Its own storage quota in megabytes; absent: that of its group, else the server's. */
  quotaMb: z.optional(z.number()),
  group: z.optional(namedGroupSchema),
  /** Ways by which it can sign in; an older server sends none. */
  ways: z.optional(z.array(z.enum(signInWays)).check(z.maxLength(signInWays.length))),
  /** Storage quota of its group in megabytes, which counts for accounts without an own one. */
  groupQuotaMb: z.optional(z.number()),
};

/** An account in the list. */
export const listedAccountSchema = z.object(listedAccount);
export type ListedAccount = z.infer<typeof listedAccountSchema>;

/** A page. `next` is absent on the last one. `total`: number of accounts on all pages. */
export const accountListSchema = z.object({
  accounts: z.array(listedAccountSchema).check(z.maxLength(ACCOUNTS_PAGE)),
  next: z.optional(z.string()),
  total: z.int(),
});
export type AccountList = z.infer<typeof accountListSchema>;

/** A session, without its network address. `browser` and `system` are empty if unknown. */
export const administeredSessionSchema = z.object({
  id: z.string(),
  method: z.enum(signInMethods),
  browser: z.string(),
  system: z.string(),
  createdAt: timeField(),
  lastSeenAt: timeField(),
});
export type AdministeredSession = z.infer<typeof administeredSessionSchema>;

/** More sessions than an account can have. */
export const SESSIONS_SHOWN_MAX = 200;

/** An account with its details. */
export const administeredAccountSchema = z.object({
  ...listedAccount,
  verifiedAt: z.optional(timeField()),
  disabledAt: z.optional(timeField()),
  /** Time of its scheduled deletion. */
  deleteAt: z.optional(timeField()),
  hasGoogle: z.boolean(),
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  hasPasskeys: z.optional(z.literal(true)),
  /** Identities at identity providers, by the names of these; absent without any. */
  identities: z.optional(
    z
      .array(z.object({ id: z.string(), provider: z.string(), lastUsedAt: z.nullable(timeField()) }))
      .check(z.maxLength(IDENTITIES_MAX)),
  ),
  lastSignIns: lastSignInsSchema,
  /** Last sign-in by a code of the authenticator app. */
  secondFactorUsedAt: z.optional(timeField()),
  /** Last use of one of the passkeys. */
  passkeyUsedAt: z.optional(timeField()),
  /** Whether an administrator requires one of this account; its group or the server may do so too. */
  needsSecondFactor: z.boolean(),
  /** Valid sessions, by last use. */
  sessions: z.array(administeredSessionSchema).check(z.maxLength(SESSIONS_SHOWN_MAX)),
  /** `month`: such as `2026-01`. */
  usage: z.object({ ...accountUsage, month: z.string(), inputTokens: z.number(), outputTokens: z.number() }),
  /** Number of its files. */
  files: z.int(),
  /** Number of its links to chats that have not expired. */
  shares: z.int(),
  /** Its own budget in US dollars a month; absent: that of the members of its group. */
  budgetUsd: z.optional(z.number()),
  /** The budgets in which its calls must fit, besides that of the installation; absent if there is none. */
  budgets: z.object({ account: z.optional(budgetStateSchema), group: z.optional(budgetStateSchema) }),
  /** Open offer to become an owner. */
  ownershipOffer: z.optional(ownershipOfferSchema),
});
export type AdministeredAccount = z.infer<typeof administeredAccountSchema>;

/** An id of any form: a malformed one is answered with "not found", like an unknown one. */
export const administeredParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

/**
 * `quotaMb`: null for that of the group or the server. `budgetUsd`: null for the budget of its group's members. `groupId`:
 * null for none. `needsSecondFactor`: without a factor the account sets it up at its next sign-in. The answer is the changed
 * account.
 */
export const changeAdministeredSchema = z.object({
  role: z.optional(role),
  quotaMb: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(QUOTA_MAX_MB)))),
  budgetUsd: z.optional(budgetUsdSchema),
  groupId: groupIdField(),
  needsSecondFactor: z.optional(z.boolean()),
});
export type ChangeAdministered = z.infer<typeof changeAdministeredSchema>;

/**
 * `delete` removes the account with all that it has stored, at once. `send-reset` mails a link for a new password.
 * `reset-second-factor` removes the second factor of people who have lost it, and mails them.
 * `set-group` moves the account to a group.
 * `revoke-shares` revokes its links to chats, of which administrators see only the number.
 */
export const accountActions = [
  ...(["verify", "disable", "enable", "end-sessions", "send-reset", "delete"] as const),
  "set-group",
  "reset-second-factor",
  "revoke-shares",
] as const;
export type AccountAction = (typeof accountActions)[number];

export const ACCOUNTS_AT_ONCE = 100;

export const accountActionsSchema = z.object({
  ids: z.array(looseText(64)).check(z.minLength(1), z.maxLength(ACCOUNTS_AT_ONCE)),
  action: z.enum(accountActions),
  /** For `set-group`; null or absent: no group. */
  groupId: groupIdField(),
});
export type AccountActions = z.infer<typeof accountActionsSchema>;

/** `changed`: false if the account already was as asked. `code`: why the account was left as it is. */
export const accountActionResultSchema = z.union([
  z.object({ id: z.string(), ok: z.literal(true), changed: z.boolean() }),
  z.object({
    id: z.string(),
    ok: z.literal(false),
    code: z.enum(Object.keys(errorSentences) as [ErrorCode, ...ErrorCode[]]),
  }),
]);
export type AccountActionResult = z.infer<typeof accountActionResultSchema>;

/** One result for each different id, in the order of the request. */
export const accountActionResultsSchema = z.object({
  results: z.array(accountActionResultSchema).check(z.maxLength(ACCOUNTS_AT_ONCE)),
});

export const AUDIT_PAGE = 50;
/** Accounts that the `q` of a query of records can stand for. */
export const AUDIT_ACCOUNTS_MAX = 50;

const auditFilter = {
  kind: z.optional(z.enum(auditKinds)),
  /** Id of the acting or the affected account. */
  account: z.optional(looseText(64)),
  /** Finds the acting or affected accounts, as the `q` of accounts does. */
  q: z.optional(looseText(SEARCH_MAX)),
};

const sequence = z.coerce.number().check(z.int(), z.minimum(1));

/** Query of the records as CSV. */
export const auditCsvQuerySchema = z.object(auditFilter);
export type AuditCsvQuery = z.infer<typeof auditCsvQuerySchema>;

/** `before`: a `seq`; only older records are returned. */
export const auditQuerySchema = z.object({ ...auditFilter, before: z.optional(sequence) });
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** Values that a change replaced: texts, numbers, booleans and null. `z.record` would join every page's chunk. */
const auditValues = z.looseObject({});

/** `username` is absent if the account is gone, or if the id is not an account's. */
const auditParty = z.object({ id: z.string(), username: z.optional(z.string()) });

const auditFields = {
  seq: z.int(),
  at: timeField(),
  /** An `AuditKind`; a newer server may send others. */
  kind: z.string(),
  before: z.optional(auditValues),
  after: z.optional(auditValues),
};

/** `actor` is null if a command on the server, or the server itself, acted. */
export const auditEntrySchema = z.object({
  ...auditFields,
  actor: z.nullable(auditParty),
  subject: z.nullable(auditParty),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** `address`: absent if everybody with the link may use the invitation, `usesMax` times. */
const namedInvitationSchema = z.object({ id: z.string(), address: z.optional(z.string()), usesMax: z.int() });
export type NamedInvitation = z.infer<typeof namedInvitationSchema>;

/**
 * A page, newest first; the `seq` of its last record is the `before` of the next page. `isPartial`: `q` finds more
 * accounts than {@link AUDIT_ACCOUNTS_MAX}, and the records of the others are missing.
 */
export const auditListSchema = z.object({
  entries: z.array(auditEntrySchema).check(z.maxLength(AUDIT_PAGE)),
  /** Groups that the records name by their ids; those that are gone are left out. */
  groups: z.optional(z.array(namedGroupSchema).check(z.maxLength(GROUPS_MAX))),
  /** Invitations that the records name by their ids; those that are gone are left out. */
  invitations: z.optional(z.array(namedInvitationSchema).check(z.maxLength(AUDIT_PAGE))),
  isPartial: z.optional(z.literal(true)),
});
export type AuditList = z.infer<typeof auditListSchema>;

export const ownAuditQuerySchema = z.object({ before: z.optional(sequence) });

/**
 * A record about the caller. `actor` is null as above; `isOwn`: the caller acted; `role`: what the acting account is
 * now, absent if it is gone.
 */
export const ownAuditEntrySchema = z.object({
  ...auditFields,
  actor: z.nullable(z.object({ isOwn: z.boolean(), role: z.optional(role) })),
});
export const ownAuditSchema = z.object({ entries: z.array(ownAuditEntrySchema).check(z.maxLength(AUDIT_PAGE)) });
export type OwnAudit = z.infer<typeof ownAuditSchema>;
