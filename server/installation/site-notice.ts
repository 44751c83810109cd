import type { NewSiteNotice } from "#contract/administration/new-site-notice.ts";
import { type SiteNotice, siteNoticeSchema } from "#contract/administration/site-notice.ts";
import { holdAdministration, recordAudit } from "../audit/record-audit.ts";
import { newId } from "../database/new-id.ts";
import type { Queryable } from "../database/schema.ts";
import { byName, type StoredSettings } from "./effective-values.ts";
import { deleteSetting, listSettingsNamed, putSetting } from "./setting-store.ts";

const NAME = "notice";

/** Returns the stored notice to everybody, or null. */
export function readNotice(stored: StoredSettings): SiteNotice | null {
  const row = stored.get(NAME);
  return row === undefined ? null : (siteNoticeSchema.safeParse(JSON.parse(row.value)).data ?? null);
}

/** Returns a notice that has not ended at `now` (Unix time in ms), or null. */
export function shownNotice(notice: SiteNotice | null, now: number): SiteNotice | null {
  return notice?.until !== undefined && notice.until <= now ? null : notice;
}

/**
 * Replaces the notice to everybody, or removes it (null), and records that with its text, which everybody has read. Its
 * id is new with every change, so that people who dismissed the old one see the new one. @returns whether anything
 * changed
 */
export async function changeNotice(
  db: Queryable,
  notice: NewSiteNotice | null,
  { at, actor }: { at: number; actor: string },
): Promise<boolean> {
  await holdAdministration(db);
  const rows = await listSettingsNamed(db, [NAME]);
  const before = readNotice(byName(rows));
  if (before === null && notice === null) return false;
  if (before?.text === notice?.text && before?.until === notice?.until) return false;
  if (notice === null) await deleteSetting(db, NAME);
  else await putSetting(db, { name: NAME, value: JSON.stringify({ ...notice, id: newId() }), changed_at: at });
  const valuesOf = (given: NewSiteNotice | null) => ({
    isShown: given !== null,
    text: given?.text ?? null,
    until: given?.until ?? null,
  });
  const values = { before: valuesOf(before), after: valuesOf(notice) };
  await recordAudit(db, { kind: "notice-changed", at, actor, subject: null, ...values });
  return true;
}
