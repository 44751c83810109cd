import { findGroup } from "../accounts/membership/group-store.ts";
import type { Queryable } from "../database/schema.ts";
import type { AccountGroupRow } from "../database/tables/administration-tables.ts";
import { ALL_MODELS, type ModelAccess } from "../models/model-access.ts";

/**
 * Reads which models the members of a group may use. It is read for each send, so that a change takes effect with
 * the next one on every process. An account without a group costs no statement.
 * @param groupId of the session's account; null for none
 */
export async function readModelAccess(db: Queryable, groupId: string | null): Promise<ModelAccess> {
  const group = groupId === null ? undefined : await findGroup(db, groupId);
  return group ? { permitted: permittedBy(group), first: group.default_model } : ALL_MODELS;
}

const permittedBy = (group: AccountGroupRow) => {
  const models = modelsOfGroup(group);
  return models && new Set(models);
};

/** Returns the values of a group's models; null for all. */
export function modelsOfGroup({ models }: Pick<AccountGroupRow, "models">): string[] | null {
  return models === null ? null : (JSON.parse(models) as string[]);
}
