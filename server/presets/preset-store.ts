import type { PresetsChanged } from "#contract/conversation/account-events.ts";
import type { PresetRow, Queryable } from "../database/schema.ts";
import { toPreset } from "./to-preset.ts";

/** Lists the account's presets in order, without deleted ones. */
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

/** Returns a preset that was deleted after a time. */
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

type Change = Partial<Omit<PresetRow, "id" | "user_id" | "created_at">>;

export async function updatePreset(db: Queryable, userId: string, id: string, change: Change): Promise<void> {
  await db.updateTable("presets").set(change).where("id", "=", id).where("user_id", "=", userId).execute();
}

/**
 * Increments the account's change number (see `chats/change-store.ts`) and locks the account until the end of the
 * transaction: every change of presets calls this first.
 */
export async function markPresetsChanged(db: Queryable, userId: string): Promise<void> {
  await db
    .updateTable("users")
    .set((eb) => ({ change_seq: eb("change_seq", "+", 1), presets_seq: eb("change_seq", "+", 1) }))
    .where("id", "=", userId)
    .execute();
}

/** Returns the current presets if their last change is after one number and up to another; otherwise undefined. */
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
