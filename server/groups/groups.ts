import type { AccountRole } from "#contract/accounts/roles.ts";
import {
  type AccountGroup,
  type AccountGroupList,
  GROUPS_MAX,
  type GroupChange,
  type GroupDeletion,
  type NewGroup,
} from "#contract/administration/groups.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import type { FieldIssue } from "#contract/text/validation.ts";
import { groupNameKeyOf } from "../accounts/account-keys.ts";
import { holdMembers } from "../accounts/account-store.ts";
import { type GroupRoles, readGroupRoles } from "../accounts/invitations/group-roles-store.ts";
import { hasInvitationsInto, revokeInvitationsInto } from "../accounts/invitations/invitation-store.ts";
import {
  type CountedGroup,
  countGroups,
  deleteGroupRow,
  findGroup,
  findGroupByName,
  hasMembers,
  insertGroup,
  listGroups,
  removeMembers,
  updateGroup,
} from "../accounts/membership/group-store.ts";
import { mayChangeGroup, type Reach } from "../accounts/roles/may-administer.ts";
import { type ChangeDeps, type Changer, changeAsRole, commitChange } from "../accounts/trust/change-as.ts";
import { holdAdministration, recordAudit } from "../audit/record-audit.ts";
import { budgetsOfGroups } from "../budgets/budget-states.ts";
import { newId } from "../database/new-id.ts";
import type { Queryable } from "../database/schema.ts";
import type { AccountGroupRow } from "../database/tables/administration-tables.ts";
import { Failure } from "../failure.ts";
import type { Models } from "../models/open-models.ts";
import { modelsOfGroup } from "./read-model-access.ts";
import { toAccountGroup, toColumns, valuesOf } from "./to-account-group.ts";

export type GroupsDeps = ChangeDeps & { models: Pick<Models, "list"> };

/** Session of an administrator; null: a command on the server itself. */
type GroupActor = Changer["identity"] | null;

/** Lists groups in the reader's reach by name, and the models from which theirs are chosen. */
export async function listAccountGroups(deps: GroupsDeps, reach: Reach): Promise<AccountGroupList> {
  const { database, models } = deps;
  if (reach !== "all" && reach.groupId === null) return { groups: [], choices: [] };
  const rows = await listGroups(database, reach === "all" ? undefined : (reach.groupId ?? undefined));
  const listed = await models.list();
  const known = isIn(listed);
  const states = await budgetsOfGroups(deps);
  const choices = listed.map(({ label: name, unreachable: prefix, models: options }) => ({
    label: name,
    ...(prefix !== undefined && { unreachable: prefix }),
    models: options.map(({ label, value, available, unreachable }) => ({ label, value, available, unreachable })),
  }));
  const isOwnersOnly = await readOwnersOnly(deps);
  const groups = rows.map((row) => ({
    ...toAccountGroup(row, known),
    isOwnersOnly: isOwnersOnly(row.id),
    budgetState: states.get(row.id),
  }));
  return { groups, choices: reach === "all" ? choices : [] };
}

/**
 * Creates a group.
 * @throws Failure `invalid-input` if another group has the name, if the default model is not one of the models, or if
 *   there are {@link GROUPS_MAX} groups; those of {@link changeAsRole}
 */
export async function createGroup(deps: GroupsDeps, request: NewGroup, actor: GroupActor): Promise<AccountGroup> {
  const { clock } = deps;
  const row: AccountGroupRow = {
    ...{ models: null, default_model: null, quota_mb: null, budget: null, member_budget: null, time_zone: "UTC" },
    ...{ needs_second_factor: 0, may_share: 1 },
    ...toColumns(request),
    ...{ id: newId(), name: request.name, name_key: groupNameKeyOf(request.name), created_at: clock.now() },
  };
  await changeGroups(deps, actor, async (db, { actor: by }) => {
    await holdAdministration(db);
    if ((await countGroups(db)) >= GROUPS_MAX) throw new Failure("invalid-input");
    await refuseUnfitting(db, row);
    await insertGroup(db, row);
    await recordAudit(db, {
      kind: "group-created",
      at: row.created_at,
      actor: by,
      subject: row.id,
      after: valuesOf(row),
    });
  });
  return withKnownModels(deps, { ...row, members: 0 });
}

/**
 * Changes a group. Its members have it with their next send.
 * @throws Failure `not-found`; `not-permitted` if it reaches an account on which the actor may not act; those of
 *   {@link createGroup}
 */
export async function changeGroup(
  deps: GroupsDeps,
  id: string,
  request: GroupChange,
  actor: GroupActor,
): Promise<AccountGroup> {
  const change = toColumns(request);
  await changeGroups(deps, actor, async (db, { actor: by, role }) => {
    await holdAdministration(db);
    const before = await findGroup(db, id);
    if (!before) throw new Failure("not-found");
    const at = deps.clock.now();
    if (!mayChangeGroup(role, rolesOf(id, await readGroupRoles(db, at, id)))) throw new Failure("not-permitted");
    const after = { ...before, ...change };
    await refuseUnfitting(db, after);
    if (Object.keys(change).length > 0) await updateGroup(db, id, change);
    await recordChange(db, { before, after, at, actor: by });
  });
  const [row] = await listGroups(deps.database, id);
  if (!row) throw new Failure("not-found");
  return withKnownModels(deps, row);
}

/** Members may join a group while it is being deleted; then the deletion starts again. */
const DELETION_TRIES = 5;

/**
 * Deletes a group: its members leave it, and the invitations into it are revoked, also used-up ones: a use is taken
 * back when an unverified account expires.
 * @throws Failure `not-found`; `not-permitted` if it reaches an account on which the actor may not act; those of
 *   {@link changeAsRole}
 */
export async function deleteGroup(deps: GroupsDeps, id: string, actor: GroupActor): Promise<GroupDeletion> {
  for (let tries = 1; tries <= DELETION_TRIES; tries++) {
    const deletion = await tryToDelete(deps, id, actor);
    if (deletion) return deletion;
  }
  throw new Failure("unavailable");
}

async function tryToDelete(deps: GroupsDeps, id: string, actor: GroupActor): Promise<GroupDeletion | undefined> {
  const at = deps.clock.now();
  const work: GroupWork<GroupDeletion> = async (db, { actor: by, role }) => {
    const invited = rolesOf(id, await readGroupRoles(db, at, id));
    // Accounts and invitations are locked before administration, as everywhere.
    const members = await removeMembers(db, id);
    const invitations = await revokeInvitationsInto(db, id, at);
    await holdAdministration(db);
    if (!(await findGroup(db, id))) throw new Failure("not-found");
    // Judged by the removed rows: accounts and invitations may have come between the two statements.
    if (!mayChangeGroup(role, new Set([...invited, ...members, ...invitations]))) throw new Failure("not-permitted");
    if ((await hasMembers(db, id)) || (await hasInvitationsInto(db, id, at))) throw new JoinedMeanwhile();
    await deleteGroupRow(db, id);
    const before = { members: members.length, invitations: invitations.length };
    await recordAudit(db, { kind: "group-deleted", at, actor: by, subject: id, before });
    return before;
  };
  return changeGroups(deps, actor, work, id).catch((error: unknown) => {
    if (error instanceof JoinedMeanwhile) return undefined;
    throw error;
  });
}

/** Rolls the deletion of a group back. */
class JoinedMeanwhile extends Error {}

/** `actor`: null for a command on the server itself, which may do what owners may. */
type GroupWork<T> = (db: Queryable, by: { actor: string | null; role: AccountRole }) => Promise<T>;

/** Runs a change of groups. @param membersOf id of a group whose members are locked */
function changeGroups<T>(deps: GroupsDeps, actor: GroupActor, work: GroupWork<T>, membersOf?: string): Promise<T> {
  if (actor !== null) {
    return changeAsRole(deps, { ...actor, membersOf }, "administrator", ({ db, user }, by) =>
      work(db, { actor: by.actor, role: user.role }),
    );
  }
  return commitChange(deps, async ({ db }) => {
    if (membersOf !== undefined) await holdMembers(db, membersOf);
    return work(db, { actor: null, role: "owner" });
  });
}

async function refuseUnfitting(db: Queryable, row: AccountGroupRow): Promise<void> {
  const { id, default_model: first } = row;
  const models = modelsOfGroup(row);
  const namesake = await findGroupByName(db, row.name_key);
  const issues: FieldIssue[] = [
    ...(namesake && namesake.id !== id ? [{ field: "name", rule: "taken" } as const] : []),
    ...(first !== null && models?.includes(first) === false
      ? [{ field: "defaultModel", rule: "invalid" } as const]
      : []),
  ];
  if (issues.length > 0) throw new Failure("invalid-input", { issues });
}

type RowChange = { before: AccountGroupRow; after: AccountGroupRow; at: number; actor: string | null };

/** Records the fields that a change has replaced; of the name only that it was replaced. */
async function recordChange(db: Queryable, { before, after, at, actor }: RowChange): Promise<void> {
  const [old, current] = [valuesOf(before), valuesOf(after)];
  const changed = Object.keys(current).filter((field) => old[field] !== current[field]);
  const isRenamed = before.name !== after.name;
  if (changed.length === 0 && !isRenamed) return;
  const pick = (values: typeof old) => Object.fromEntries(changed.map((field) => [field, values[field] ?? null]));
  await recordAudit(db, {
    ...{ kind: "group-changed", at, actor, subject: after.id },
    before: pick(old),
    after: { ...pick(current), ...(isRenamed && { isRenamed }) },
  });
}

async function withKnownModels(deps: GroupsDeps, row: CountedGroup): Promise<AccountGroup> {
  const listed = await deps.models.list();
  const isOwnersOnly = await readOwnersOnly(deps, row.id);
  return { ...toAccountGroup(row, isIn(listed)), isOwnersOnly: isOwnersOnly(row.id) };
}

/** Reads whether only owners change groups, by their ids. @param only id of one group */
async function readOwnersOnly({ clock, database }: GroupsDeps, only?: string): Promise<(id: string) => boolean> {
  const roles = await readGroupRoles(database, clock.now(), only);
  return (id) => !mayChangeGroup("administrator", rolesOf(id, roles));
}

const rolesOf = (id: string, roles: GroupRoles) => roles.get(id) ?? new Set<AccountRole>();

/** Returns whether the server has a model, or may have it: its provider does not answer. */
function isIn(listed: readonly ModelGroup[]): (value: string) => boolean {
  const values = new Set(listed.flatMap(({ models }) => models.map(({ value }) => value)));
  const unreachable = listed.flatMap((group) => group.unreachable ?? []);
  return (value) => values.has(value) || unreachable.some((prefix) => value.startsWith(prefix));
}
