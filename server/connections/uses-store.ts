import type { ConnectionUses } from "#contract/administration/connections.ts";
import type { Queryable } from "../database/schema.ts";
import { listSettingsNamed } from "../installation/setting-store.ts";
import { AUTOMATIC_SETTING, readAutomatic } from "./automatic-models.ts";

/** Returns what names models of a connection. Messages are not counted: they keep their words. */
export async function findUses(db: Queryable, slug: string): Promise<ConnectionUses> {
  const prefix = `${slug}:`;
  const isOwn = (value: string) => value.startsWith(prefix);
  // Ranges of text: slugs have no character of patterns, and an index may be used.
  const { presets } = await db
    .selectFrom("presets")
    .select((eb) => eb.fn.countAll<number>().as("presets"))
    .where("model", ">=", prefix)
    .where("model", "<", `${slug};`)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  const groups = await db
    .selectFrom("account_groups")
    .select(["name", "models", "default_model"])
    .orderBy("name")
    .execute();
  const naming = groups.filter(({ models, default_model }) =>
    [...(models === null ? [] : (JSON.parse(models) as string[])), default_model ?? ""].some(isOwn),
  );
  const [row] = await listSettingsNamed(db, [AUTOMATIC_SETTING]);
  return {
    presets: Number(presets),
    groups: naming.map(({ name }) => name),
    isAutomatic: (readAutomatic(row) ?? []).some(isOwn),
  };
}
