import { findUser } from "../accounts/account-store.ts";
import { findGroup } from "../accounts/membership/group-store.ts";
import type { Database } from "../database/schema.ts";
import type { AccountGroupRow } from "../database/tables/administration-tables.ts";
import { ALL_MODELS, type Caller, type ModelAccess } from "../models/model-access.ts";

type Account = { userId: string; groupId: string | null };

/**
 * Reads which models the members of a group may use. It is read for each send, so that a change takes effect with
 * the next one on every process. An account without a group costs no statement.
 * @param account of the session; `groupId`: null for none
 */
export async function readModelAccess(database: Database, account: Account): Promise<ModelAccess> {
  const { groupId } = account;
  const group = groupId === null ? undefined : await findGroup(database, groupId);
  const caller = callerOf(database, account);
  return group ? { permitted: permittedBy(group), first: group.default_model, caller } : { ...ALL_MODELS, caller };
}

function callerOf(database: Database, { userId, groupId }: Account): Caller {
  return {
    account: userId,
    group: groupId ?? "",
    readPerson: async () => {
      const user = await findUser(database, userId);
      const name = [user?.firstname, user?.lastname].filter(Boolean).join(" ");
      return { email: user?.email ?? "", name };
    },
  };
}

const permittedBy = (group: AccountGroupRow) => {
  const models = modelsOfGroup(group);
  return models && new Set(models);
};

/** Returns the values of a group's models; null for all. */
export function modelsOfGroup({ models }: Pick<AccountGroupRow, "models">): string[] | null {
  return models === null ? null : (JSON.parse(models) as string[]);
}
