import { CONNECTION_MODELS_MAX } from "#contract/administration/connections.ts";
import type { ModelFacts } from "#contract/models/model-facts.ts";
import { holdAdministration } from "../audit/record-audit.ts";
import type { Database, Queryable } from "../database/schema.ts";
import type { ConnectionModelRow } from "../database/tables/connection-tables.ts";
import type { DiscoveredModel } from "../models/connections/model-entry.ts";
import { deleteConnectionModels, listConnectionModels, putConnectionModels } from "./connection-store.ts";

/**
 * Stores the models that a server has listed. What an owner has entered is kept: models that left the list stay if they
 * have overrides or were selected. @returns whether anything changed
 */
export async function saveList(database: Database, slug: string, models: readonly DiscoveredModel[]): Promise<boolean> {
  if (isEmpty(await differenceOf(database, slug, models))) return false;
  return database.transaction().execute(async (db) => {
    // An owner may change the models meanwhile.
    await holdAdministration(db);
    const difference = await differenceOf(db, slug, models);
    await putConnectionModels(db, difference.put);
    await deleteConnectionModels(db, slug, difference.forgotten);
    return !isEmpty(difference);
  });
}

/** Adds facts to those of a stored model. @returns whether anything changed */
export async function saveFacts(
  database: Database,
  { slug, name }: Pick<ConnectionModelRow, "slug" | "name">,
  facts: ModelFacts,
): Promise<boolean> {
  return database.transaction().execute(async (db) => {
    await holdAdministration(db);
    const row = (await listConnectionModels(db, slug)).find((each) => each.name === name);
    if (!row) return false;
    const merged = JSON.stringify({ ...(JSON.parse(row.facts) as ModelFacts), ...facts });
    if (merged === row.facts) return false;
    await putConnectionModels(db, [{ ...row, facts: merged }]);
    return true;
  });
}

type Difference = { put: ConnectionModelRow[]; forgotten: string[] };

const isEmpty = ({ put, forgotten }: Difference) => put.length + forgotten.length === 0;

async function differenceOf(db: Queryable, slug: string, models: readonly DiscoveredModel[]): Promise<Difference> {
  const stored = new Map((await listConnectionModels(db, slug)).map((row) => [row.name, row]));
  const listed = models.filter(({ isListed }) => isListed !== false).slice(0, CONNECTION_MODELS_MAX);
  const rows = listed.map(({ name, facts }, position): ConnectionModelRow => {
    const { overrides = null, is_offered = 0 } = stored.get(name) ?? {};
    return { slug, name, facts: JSON.stringify(facts), overrides, is_offered, is_listed: 1, position };
  });
  const names = new Set(rows.map(({ name }) => name));
  const left = [...stored.values()].filter(({ name, is_listed }) => is_listed === 1 && !names.has(name));
  const isEntered = (row: ConnectionModelRow) => row.overrides !== null || row.is_offered === 1;
  return {
    put: [
      ...rows.filter((row) => !isSame(row, stored.get(row.name))),
      ...left.filter(isEntered).map((row) => ({ ...row, is_listed: 0 })),
    ],
    forgotten: left.filter((row) => !isEntered(row)).map(({ name }) => name),
  };
}

const isSame = (row: ConnectionModelRow, other: ConnectionModelRow | undefined) =>
  other !== undefined &&
  row.facts === other.facts &&
  row.is_listed === other.is_listed &&
  row.position === other.position;
