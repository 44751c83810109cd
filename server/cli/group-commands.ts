import { changeGroupSchema, type GroupChange } from "#contract/administration/groups.ts";
import { groupNameKeyOf } from "../accounts/account-keys.ts";
import { setRights } from "../accounts/administration/account-rights.ts";
import { commandLine } from "../accounts/administration/administrator.ts";
import { findGroup, findGroupByName, listGroups } from "../accounts/membership/group-store.ts";
import type { Queryable } from "../database/schema.ts";
import type { AccountGroupRow } from "../database/tables/administration-tables.ts";
import { changeGroup, createGroup, deleteGroup, type GroupsDeps } from "../groups/groups.ts";
import { modelsOfGroup } from "../groups/read-model-access.ts";
import { toAccountGroup } from "../groups/to-account-group.ts";
import { type Call, type Command, type Outcome, parseFields, Refusal, toTable } from "./command.ts";
import { openCommandDeps, openCurrent } from "./open-installation.ts";
import { withAccount } from "./users/users-named.ts";

const GROUP = "GROUP is a name or an id.";
const NONE = "none";

const list: Command = {
  name: "groups list",
  usage: "",
  summary: "Lists the groups of accounts.",
  async run(call) {
    const database = await openCurrent(call);
    const rows = await listGroups(database).finally(() => database.destroy());
    const table = rows.map((row) => [
      ...[row.name, String(row.members), row.models === null ? "all" : String(modelsOfGroup(row)?.length)],
      ...[row.default_model ?? "–", row.quota_mb === null ? "–" : String(row.quota_mb), row.time_zone, row.id],
    ]);
    return {
      data: { groups: rows.map(toData) },
      lines: toTable(["NAME", "MEMBERS", "MODELS", "DEFAULT", "QUOTA MB", "TIME ZONE", "ID"], table),
    };
  },
};

/** Commands do not know which models the running server has. */
function toData(row: Parameters<typeof toAccountGroup>[0]) {
  const { unknownModels: _, ...group } = toAccountGroup(row, () => true);
  return group;
}

const options = {
  name: { type: "string" },
  models: { type: "string" },
  default: { type: "string" },
  mb: { type: "string" },
  budget: { type: "string" },
  "member-budget": { type: "string" },
  "time-zone": { type: "string" },
  "second-factor": { type: "string" },
  "share-links": { type: "string" },
} as const;

const fields = [
  `--models A,B        values of the models that members may use, such as GPT:gpt-5-mini; “${NONE}” for all`,
  `--default MODEL     the model that automatic choice asks first; “${NONE}” for none`,
  `--mb NUMBER         storage of each member in megabytes; “${NONE}” for the server's`,
  `--budget USD        of all members together in a month; “${NONE}” for none`,
  "--member-budget USD of each member in a month",
  "--time-zone NAME    where the months of the budgets begin, such as Europe/Berlin",
  "--second-factor on|off  whether members must have a second factor",
  "--share-links on|off    whether members may share chats by links",
];

const usage =
  "[--models A,B] [--default MODEL] [--mb NUMBER] [--budget USD] [--member-budget USD] [--time-zone NAME] [--second-factor on|off] [--share-links on|off]";

const create: Command = {
  name: "groups create",
  usage: `NAME ${usage}`,
  summary: "Creates a group of accounts.",
  details: fields,
  options,
  operands: { min: 1, max: 1 },
  run: (call) =>
    withGroups(call, async (deps) => {
      const change = readChange(call);
      const { name = call.operand(0), ...rest } = readFields({ ...change, name: call.operand(0) });
      const { id } = await createGroup(deps, { ...rest, name }, null);
      return { data: { id, name }, lines: [`The group ${name} is created.`] };
    }),
};

const set: Command = {
  name: "groups set",
  usage: `GROUP [--name NAME] ${usage}`,
  summary: "Changes a group; its members have it with their next message.",
  details: [GROUP, "--name NAME         renames it", ...fields],
  options,
  operands: { min: 1, max: 1 },
  run: (call) =>
    withGroups(call, async (deps) => {
      const change = readFields(readChange(call));
      const { id } = await groupNamed(deps.database, call.operand(0));
      const { name } = await changeGroup(deps, id, change, null);
      return { data: { id, name }, lines: [`The group ${name} is changed.`] };
    }),
};

const remove: Command = {
  name: "groups delete",
  usage: "GROUP [--yes]",
  summary: "Deletes a group: its members are in none, and its open invitations are revoked.",
  details: [GROUP],
  operands: { min: 1, max: 1 },
  run: (call) =>
    withGroups(call, async (deps) => {
      const { id, name } = await groupNamed(deps.database, call.operand(0));
      await call.confirm(`Deletes the group ${name}; its members can use all models afterwards.`);
      const { members, invitations } = await deleteGroup(deps, id, null);
      const lines = [`The group ${name} is deleted: ${members} members, ${invitations} open invitations.`];
      return { data: { id, name, members, invitations }, lines };
    }),
};

/** Command that shows or sets the group of an account. */
const membership: Command = {
  name: "users group",
  usage: "USER [GROUP | --none]",
  summary: "Shows the group of an account, moves it to another one, or takes it out.",
  details: ["USER is a username, an address or an id.", GROUP],
  options: { none: { type: "boolean" } },
  operands: { min: 1, max: 2 },
  run: (call) =>
    withAccount(call, async (deps, user) => {
      const { database } = deps;
      const { id, username } = user;
      const name = call.operands[1];
      if (name !== undefined && call.has("none")) throw new Refusal("Give a group or --none, not both.", "usage");
      const shown = (group: AccountGroupRow | undefined, changed: boolean): Outcome => ({
        data: { id, username, group: group ? { id: group.id, name: group.name } : null, changed },
        lines: [`${username}: ${group ? group.name : "in no group"}.`],
      });
      if (name === undefined && !call.has("none")) {
        return shown(user.group_id === null ? undefined : await findGroup(database, user.group_id), false);
      }
      const group = name === undefined ? undefined : await groupNamed(database, name);
      call.print(`Moves ${username} to ${group ? `the group ${group.name}` : "no group"}.`);
      return shown(group, await setRights(deps, id, { groupId: group?.id ?? null, by: commandLine }));
    }),
};

async function withGroups(call: Call, work: (deps: GroupsDeps) => Promise<Outcome>): Promise<Outcome> {
  await using deps = await openCommandDeps(call);
  // Only answers to browsers name the models that a server does not have.
  return await work({ ...deps, models: { list: async () => [] } });
}

/** @throws Refusal if there is no such group */
async function groupNamed(db: Queryable, name: string): Promise<AccountGroupRow> {
  const found = (await findGroup(db, name)) ?? (await findGroupByName(db, groupNameKeyOf(name)));
  if (!found) throw new Refusal(`There is no group “${name}”.`);
  return found;
}

function readChange(call: Call): Record<string, unknown> {
  const orNone = <T>(option: string, read: (text: string) => T) => {
    const text = call.text(option);
    return text === undefined ? undefined : text === NONE ? null : read(text);
  };
  return {
    name: call.text("name"),
    models: orNone("models", (text) => text.split(",").map((value) => value.trim())),
    defaultModel: orNone("default", String),
    quotaMb: orNone("mb", Number),
    budget: orNone("budget", Number),
    memberBudget: orNone("member-budget", Number),
    timeZone: call.text("time-zone"),
    needsSecondFactor: readSwitch(call.text("second-factor")),
    mayShare: readSwitch(call.text("share-links")),
  };
}

/** Any other text stays, and is refused with the other fields. */
const readSwitch = (text: string | undefined) => (text === "on" ? true : text === "off" ? false : text);

const readFields = (given: Record<string, unknown>): GroupChange =>
  parseFields(changeGroupSchema, given, "The group is not valid.");

export const groupCommands: readonly Command[] = [list, create, set, remove, membership];
