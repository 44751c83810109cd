import * as z from "zod/mini";
import { AUTOMATIC_MODELS_MAX, type automaticModelsSchema } from "#contract/administration/connections.ts";
import { holdAdministration, recordAudit } from "../audit/record-audit.ts";
import type { Queryable, SettingRow } from "../database/schema.ts";
import { deleteSetting, listSettingsNamed, putSetting } from "../installation/setting-store.ts";

/** Name of the setting with the order of automatic choice. */
export const AUTOMATIC_SETTING = "automaticModels";

type Values = z.infer<typeof automaticModelsSchema>["values"];

const storedSchema = z.array(z.string()).check(z.maxLength(AUTOMATIC_MODELS_MAX));

/** Returns the values of the models of automatic choice as an owner ordered them; null for the default order. */
export function readAutomatic(row: SettingRow | undefined): Values {
  return row === undefined ? null : (storedSchema.safeParse(JSON.parse(row.value)).data ?? null);
}

/** Replaces the order of automatic choice in the caller's transaction. @returns whether it changed */
export async function changeAutomatic(
  db: Queryable,
  values: Values,
  { at, actor }: { at: number; actor: string | null },
): Promise<boolean> {
  await holdAdministration(db);
  const [row] = await listSettingsNamed(db, [AUTOMATIC_SETTING]);
  const before = readAutomatic(row);
  const after = values === null ? null : [...new Set(values)];
  if (JSON.stringify(before) === JSON.stringify(after)) return false;
  if (after === null) await deleteSetting(db, AUTOMATIC_SETTING);
  else await putSetting(db, { name: AUTOMATIC_SETTING, value: JSON.stringify(after), changed_at: at });
  const recorded = { before: { automaticModels: before }, after: { automaticModels: after } };
  await recordAudit(db, { kind: "setting-changed", at, actor, subject: null, ...recorded });
  return true;
}
