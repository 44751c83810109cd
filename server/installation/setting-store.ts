import type { Queryable, SettingRow } from "../database/schema.ts";

/** Lists all stored settings. */
export async function listSettings(db: Queryable): Promise<SettingRow[]> {
  return db.selectFrom("settings").selectAll().execute();
}

/** Lists the stored settings of these names. */
export async function listSettingsNamed(db: Queryable, names: readonly string[]): Promise<SettingRow[]> {
  return db.selectFrom("settings").selectAll().where("name", "in", names).execute();
}

/** Stores a setting, or replaces its value. */
export async function putSetting(db: Queryable, { name, value, changed_at }: SettingRow): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name, value, changed_at })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value, changed_at }))
    .execute();
}

/**
 * Stores a setting if its value is still the one that was read; undefined: if there is none.
 * @returns whether it was stored: of several processes, by one
 */
export async function claimSetting(db: Queryable, row: SettingRow, before: string | undefined): Promise<boolean> {
  const { name, value, changed_at } = row;
  const result =
    before === undefined
      ? await db
          .insertInto("settings")
          .values(row)
          .onConflict((conflict) => conflict.column("name").doNothing())
          .executeTakeFirst()
      : await db
          .updateTable("settings")
          .set({ value, changed_at })
          .where("name", "=", name)
          .where("value", "=", before)
          .executeTakeFirst();
  const count = "numUpdatedRows" in result ? result.numUpdatedRows : result.numInsertedOrUpdatedRows;
  return Number(count ?? 0) === 1;
}

/** Removes a setting, so that its default applies. */
export async function deleteSetting(db: Queryable, name: string): Promise<void> {
  await db.deleteFrom("settings").where("name", "=", name).execute();
}
