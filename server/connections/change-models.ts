import { CONNECTION_MODELS_MAX, type ModelChanges } from "#contract/administration/connections.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Queryable } from "../database/schema.ts";
import type { ConnectionModelRow } from "../database/tables/connection-tables.ts";
import { Failure } from "../failure.ts";
import { type ChangeConnectionDeps, type ConnectionActor, changeConnections } from "./change-connections.ts";
import {
  deleteConnectionModels,
  findConnection,
  listConnectionModels,
  putConnectionModels,
} from "./connection-store.ts";

/** The record names at most so many models. */
const RECORDED_MAX = 20;

/**
 * Changes what owners have entered about the models of a connection, also of one that the environment sets.
 * @throws Failure `not-found`; `invalid-input` beyond {@link CONNECTION_MODELS_MAX} models; those of `changeAsRole`
 */
export async function changeModels(
  deps: ChangeConnectionDeps,
  { slug, isFixed }: { slug: string; isFixed: boolean },
  { changes }: ModelChanges,
  actor: ConnectionActor,
): Promise<void> {
  await changeConnections(deps, actor, async (db, { at, actor: by }) => {
    if (!isFixed && !(await findConnection(db, slug))) throw new Failure("not-found");
    await applyChanges(db, slug, changes);
    const names = changes.slice(0, RECORDED_MAX).map(({ name }) => name);
    const after = { connection: slug, count: changes.length, models: names };
    await recordAudit(db, { kind: "models-changed", at, actor: by, subject: null, after });
  });
}

async function applyChanges(db: Queryable, slug: string, changes: ModelChanges["changes"]): Promise<void> {
  const rows = new Map((await listConnectionModels(db, slug)).map((row) => [row.name, row]));
  const removed = new Set<string>();
  const changed = new Map<string, ConnectionModelRow>();
  for (const { name, overrides, isOffered, isRemoved } of changes) {
    const row = changed.get(name) ?? rows.get(name) ?? newRow(slug, name, rows.size + changed.size);
    if (isRemoved && row.is_listed === 0) {
      removed.add(name);
      changed.delete(name);
      continue;
    }
    removed.delete(name);
    changed.set(name, {
      ...row,
      ...(overrides !== undefined && { overrides: overrides === null ? null : JSON.stringify(overrides) }),
      ...(isOffered !== undefined && { is_offered: isOffered ? 1 : 0 }),
    });
  }
  if (new Set([...rows.keys(), ...changed.keys()]).size - removed.size > CONNECTION_MODELS_MAX) {
    throw new Failure("invalid-input");
  }
  await putConnectionModels(db, [...changed.values()]);
  await deleteConnectionModels(db, slug, [...removed]);
}

/** A name that an owner enters is meant to be offered. */
function newRow(slug: string, name: string, position: number): ConnectionModelRow {
  return { slug, name, facts: "{}", overrides: null, is_offered: 1, is_listed: 0, position };
}
