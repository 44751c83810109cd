/** Groups of accounts: which models their members see, their storage and their budgets. Times are Unix times in ms. */

import * as z from "zod/mini";
import { QUOTA_MAX_MB } from "../limits.ts";
import { budgetStateSchema, budgetUsdSchema } from "../models/budgets.ts";
import { modelOptionSchema, unreachableField } from "../models/models.ts";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { isTimeZone, TIME_ZONE_MAX } from "../time-zone.ts";
import { timeField } from "../times.ts";
import { CONNECTION_MODELS_MAX, MODEL_NAME_MAX, SLUG_MAX } from "./connections.ts";

export const GROUPS_MAX = 200;
/** In UTF-16 units. */
export const GROUP_NAME_MAX = 60;
/** Models that a group can name: as many as a connection can list. */
export const GROUP_MODELS_MAX = CONNECTION_MODELS_MAX;
const MODEL_VALUE_MAX = SLUG_MAX + 1 + MODEL_NAME_MAX;

/** Value of the filter `group` for accounts without a group. No id has this form. */
export const NO_GROUP = "none";

const invalid = { error: rule("invalid") };

const modelField = () => z.string().check(z.minLength(1), z.maxLength(MODEL_VALUE_MAX), z.overwrite(wellFormed));

const groupFields = {
  name: nameText(GROUP_NAME_MAX),
  /** Values of the models that members may use; null: all. */
  models: z.nullable(
    z.array(modelField()).check(z.minLength(1, { error: rule("required") }), z.maxLength(GROUP_MODELS_MAX)),
  ),
  /** Value of the model that automatic choice asks first; null: the server's order. */
  defaultModel: z.nullable(modelField()),
  /** Storage of each member in megabytes; null: the server's. */
  quotaMb: z.nullable(z.int(invalid).check(z.minimum(1, invalid), z.maximum(QUOTA_MAX_MB, invalid))),
  /** Of all members together, in US dollars a month; null: none. */
  budget: budgetUsdSchema,
  /** Of each member. */
  memberBudget: budgetUsdSchema,
  /** IANA name: the months of the budgets begin at midnight there. */
  timeZone: z.string(invalid).check(z.maxLength(TIME_ZONE_MAX, invalid), z.refine(isTimeZone, invalid)),
  /** Whether members must have a second factor: without one they set it up at their next sign-in. */
  needsSecondFactor: z.boolean(),
  /** Whether members may share chats by links. Without, the links that they have made are paused. */
  mayShare: z.boolean(),
};

/** All fields but the name have a default: null, `UTC`, `mayShare` true, and false. */
export const newGroupSchema = z.extend(z.partial(z.object(groupFields)), { name: groupFields.name });
export type NewGroup = z.infer<typeof newGroupSchema>;

/** Partial change. */
export const changeGroupSchema = z.partial(z.object(groupFields));
export type GroupChange = z.infer<typeof changeGroupSchema>;

/** An id of any form: a malformed one is answered with "not found", like an unknown one. */
export const groupParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

export const accountGroupSchema = z.object({
  id: z.string(),
  name: z.string(),
  members: z.int(),
  /**
   * Whether only owners change and delete it: a member is an administrator or an owner, or an invitation makes one. If
   * it has a budget, only owners let others in.
   */
  isOwnersOnly: z.boolean(),
  models: z.nullable(z.array(z.string()).check(z.maxLength(GROUP_MODELS_MAX))),
  /** Those of `models` and `defaultModel` that the server does not have. They are kept in case it has them again. */
  unknownModels: z.array(z.string()).check(z.maxLength(GROUP_MODELS_MAX + 1)),
  defaultModel: z.nullable(z.string()),
  quotaMb: z.nullable(z.int()),
  budget: z.nullable(z.number()),
  /** State of `budget` in this month; only in the list, absent without a budget. */
  budgetState: z.optional(budgetStateSchema),
  memberBudget: z.nullable(z.number()),
  timeZone: z.string(),
  needsSecondFactor: z.boolean(),
  mayShare: z.boolean(),
  createdAt: timeField(),
});
export type AccountGroup = z.infer<typeof accountGroupSchema>;

/**
 * All groups by name; for a manager their own. `choices`: the server's models from which the models of a group are
 * chosen, in their groups; for a manager empty.
 */
export const accountGroupListSchema = z.object({
  groups: z.array(accountGroupSchema).check(z.maxLength(GROUPS_MAX)),
  choices: z.array(
    z.object({
      label: z.string(),
      unreachable: unreachableField,
      models: z.array(z.pick(modelOptionSchema, { label: true, value: true, available: true, unreachable: true })),
    }),
  ),
});
export type AccountGroupList = z.infer<typeof accountGroupListSchema>;

/** `members`: accounts that the deletion has left without a group. `invitations`: those that it has revoked. */
export const groupDeletionSchema = z.object({ members: z.int(), invitations: z.int() });
export type GroupDeletion = z.infer<typeof groupDeletionSchema>;

/** Id of a group in a change; null: none. */
export const groupIdField = () => z.optional(z.nullable(looseText(64)));

/** A group that an account or an invitation names. */
export const namedGroupSchema = z.object({ id: z.string(), name: z.string() });
export type NamedGroup = z.infer<typeof namedGroupSchema>;
