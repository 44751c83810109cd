import type { PresetsChanged } from "#contract/account-events.ts";
import type { PresetRow, Queryable } from "../database/schema.ts";
import { toPreset } from "./to-preset.ts";

/** The account's presets in their order; `db` has nothing of those that are deleted. */
export async function listPresets(db: Queryable, userId: string): Promise<PresetRow[]> {
  return db
    .selectFrom("presets")
    .selectAll()
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .orderBy("position")
    .orderBy("id")
    .execute();
}

export async function findPreset(db: Queryable, userId: string, id: string): Promise<PresetRow | undefined> {
  return db
    .selectFrom("presets")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** A preset that was deleted after a time. */
export async function findDeletedPreset(
  db: Queryable,
  userId: string,
  id: string,
  deletedAfter: number,
): Promise<PresetRow | undefined> {
  return db
    .selectFrom("presets")
    .selectAll()
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("deleted_at", ">", deletedAfter)
    .executeTakeFirst();
}

export async function insertPreset(db: Queryable, preset: PresetRow): Promise<void> {
  await db.insertInto("presets").values(preset).execute();
}

type Change = Partial<Pick<PresetRow, "name" | "instructions" | "model" | "temperature" | "position" | "deleted_at">>;

export async function updatePreset(db: Queryable, userId: string, id: string, change: Change): Promise<void> {
  await db.updateTable("presets").set(change).where("id", "=", id).where("user_id", "=", userId).execute();
}

/**
 * Counts a change of the account's presets among its changes (see `chats/change-store.ts`) and holds the account until
 * the transaction's end: whoever changes presets calls it first.
 */
export async function markPresetsChanged(db: Queryable, userId: string): Promise<void> {
  await db
    .updateTable("users")
    .set((eb) => ({ change_seq: eb("change_seq", "+", 1), presets_seq: eb("change_seq", "+", 1) }))
    .where("id", "=", userId)
    .execute();
}

/** The presets as they are now, where they changed last after one number and up to another; else nothing. */
export async function listPresetChanges(
  db: Queryable,
  userId: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<PresetsChanged[]> {
  const changed = await db
    .selectFrom("users")
    .select("presets_seq")
    .where("id", "=", userId)
    .where("presets_seq", ">", after)
    .where("presets_seq", "<=", upTo)
    .executeTakeFirst();
  if (!changed) return [];
  return [{ at: changed.presets_seq, presets: (await listPresets(db, userId)).map(toPreset) }];
}

export async function removePresetsDeletedBefore(db: Queryable, deletedBefore: number): Promise<void> {
  await db.deleteFrom("presets").where("deleted_at", "<=", deletedBefore).execute();
}
