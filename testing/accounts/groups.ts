import { type AccountGroup, accountGroupSchema, type NewGroup } from "#contract/administration/groups.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { insertGroup } from "../../server/accounts/membership/group-store.ts";
import { newId } from "../../server/database/new-id.ts";
import type { AccountGroupRow } from "../../server/database/tables/administration-tables.ts";
import type { TestApp } from "../app/start-test-app.ts";
import type { TestAccount } from "./sign-up.ts";

let groups = 0;

/** Inserts a group without a record. @returns its id */
export async function insertTestGroup({ context }: TestApp, given: Partial<AccountGroupRow> = {}): Promise<string> {
  const id = newId();
  const name = `Group ${++groups}`;
  await insertGroup(context.database, {
    ...{ id, name, name_key: name.toLowerCase(), models: null, default_model: null, quota_mb: null },
    ...{ budget: null, member_budget: null, time_zone: "UTC", needs_second_factor: 0, may_share: 1 },
    created_at: context.clock.now(),
    ...given,
  });
  return id;
}

/** Creates a group as an administrator with a recent proof. */
export async function newGroup(
  app: TestApp,
  { token }: Pick<TestAccount, "token">,
  given: Partial<NewGroup> = {},
): Promise<AccountGroup> {
  const body = { name: `Group ${++groups}`, ...given };
  const response = await app.call("POST", administrationPaths.groups, { token, body });
  if (response.status !== 201) throw new Error(`A group answered ${response.status} ${await response.text()}`);
  return accountGroupSchema.parse(await response.json());
}

/** Moves accounts to a group without a record; null for none. */
export async function moveToGroup(
  { context }: TestApp,
  groupId: string | null,
  ...accounts: readonly Pick<TestAccount, "user">[]
): Promise<void> {
  const ids = accounts.map(({ user }) => user.id);
  await context.database.updateTable("users").set({ group_id: groupId }).where("id", "in", ids).execute();
}
