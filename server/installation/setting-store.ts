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

/** Removes a setting, so that its default applies. */
export async function deleteSetting(db: Queryable, name: string): Promise<void> {
  await db.deleteFrom("settings").where("name", "=", name).execute();
}
