import { sql } from "kysely";
import { DAY } from "#contract/limits.ts";
import type { Clock } from "../concurrency/clock.ts";
import { databaseNow } from "../database/database-now.ts";
import { isOnSqlite } from "../database/is-on-sqlite.ts";
import type { Queryable } from "../database/schema.ts";
import type { ShareFileRow, SharePageRow, ShareRow } from "../database/tables/share-tables.ts";

/**
 * A link with the facts that decide who can open it, read by one statement. `owner_group` is the group of its owner,
 * `may_share` is 0 if that has no links, `now` is the time of the query in Unix ms. `share_links` and `share_days_max`:
 * JSON of settings; null: not stored.
 */
export type OpenableShare = ShareRow & {
  owner_group: string | null;
  may_share: number;
  now: number;
  share_links: string | null;
  share_days_max: string | null;
};

/** A link for its owner. `group_name` is of the group that the link is for. */
export type OwnedShare = OpenableShare & { group_name: string | null };

/** Returns the time by which links expire as an expression, in Unix ms: one clock for all processes of a database. */
const currentTime = (db: Queryable, clock: Clock) => (isOnSqlite(db) ? sql<number>`${clock.now()}` : databaseNow);

/** Returns the time by which links expire, in Unix ms. */
export async function readNow(db: Queryable, clock: Clock): Promise<number> {
  const { now } = await db.selectNoFrom(currentTime(db, clock).as("now")).executeTakeFirstOrThrow();
  return Number(now);
}

/** Starts a query of links for readers: their account and chat exist, and the account is not disabled or about to be deleted. */
const selectOpenable = (db: Queryable, clock: Clock) =>
  db
    .selectFrom("shares")
    .innerJoin("users", "users.id", "shares.user_id")
    .innerJoin("chats", "chats.id", "shares.chat_id")
    .leftJoin("account_groups as owner_groups", "owner_groups.id", "users.group_id")
    .selectAll("shares")
    .select("users.group_id as owner_group")
    .select(sql<number>`coalesce(owner_groups.may_share, 1)`.as("may_share"))
    .select(currentTime(db, clock).as("now"))
    .select((eb) => [
      eb.selectFrom("settings").select("value").where("name", "=", "shareLinks").as("share_links"),
      eb.selectFrom("settings").select("value").where("name", "=", "shareDaysMax").as("share_days_max"),
    ])
    .where("chats.deleted_at", "is", null)
    .where("users.disabled_at", "is", null)
    .where("users.delete_at", "is", null);

/** Starts a query of links for their owner. */
const selectOwned = (db: Queryable, clock: Clock) =>
  selectOpenable(db, clock)
    .leftJoin("account_groups as reader_groups", "reader_groups.id", "shares.group_id")
    .select("reader_groups.name as group_name");

/** Finds the link of a token, without judging its time and its audience. */
export async function findShareByToken(
  db: Queryable,
  clock: Clock,
  tokenHash: string,
): Promise<OpenableShare | undefined> {
  return selectOpenable(db, clock).where("shares.token_hash", "=", tokenHash).executeTakeFirst();
}

/** Finds the link of a token with its content, as {@link findShareByToken} finds it without. */
export async function findSharedPage(
  db: Queryable,
  clock: Clock,
  tokenHash: string,
): Promise<(OpenableShare & Pick<SharePageRow, "page">) | undefined> {
  return selectOpenable(db, clock)
    .innerJoin("share_pages", "share_pages.share_id", "shares.id")
    .select("share_pages.page")
    .where("shares.token_hash", "=", tokenHash)
    .executeTakeFirst();
}

/** Finds links by their ids, as {@link findShareByToken} finds one. */
export async function findSharesById(db: Queryable, clock: Clock, ids: readonly string[]): Promise<OpenableShare[]> {
  return ids.length === 0 ? [] : selectOpenable(db, clock).where("shares.id", "in", ids).execute();
}

/** Finds a link or draft of an account. */
export async function findOwnShare(
  db: Queryable,
  clock: Clock,
  { userId, id }: { userId: string; id: string },
): Promise<OwnedShare | undefined> {
  return selectOwned(db, clock).where("shares.user_id", "=", userId).where("shares.id", "=", id).executeTakeFirst();
}

/** Locks links and drafts of an account until the transaction ends. Those of SQLite have locked the whole database. */
export async function lockShares(db: Queryable, userId: string, ids: readonly string[]): Promise<void> {
  if (isOnSqlite(db)) return;
  await db
    .selectFrom("shares")
    .select("id")
    .where("user_id", "=", userId)
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
}

/** Lists the links of an account, the newest first, without drafts and without links that have expired. */
export async function listOwnShares(db: Queryable, clock: Clock, userId: string): Promise<OwnedShare[]> {
  const now = currentTime(db, clock);
  return selectOwned(db, clock)
    .where("shares.user_id", "=", userId)
    .where("shares.published_at", "is not", null)
    .where((eb) => eb.or([eb("shares.expires_at", "is", null), eb("shares.expires_at", ">", now)]))
    .orderBy("shares.created_at", "desc")
    .orderBy("shares.id", "desc")
    .execute();
}

/**
 * Counts the links of an account that have not ended.
 * @param shareDaysMax longest life of a link in days; 0: without limit
 */
export async function countShares(
  db: Queryable,
  clock: Clock,
  { userId, shareDaysMax }: { userId: string; shareDaysMax: number },
): Promise<number> {
  const now = currentTime(db, clock);
  const { count } = await db
    .selectFrom("shares")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("published_at", "is not", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .$if(shareDaysMax > 0, (links) => links.where("published_at", ">", sql<number>`${now} - ${shareDaysMax * DAY}`))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Content of a new draft. */
export type DraftContent = Omit<SharePageRow, "share_id"> & { files: readonly string[] };

/** Stores a draft with its content. */
export async function insertDraft(
  db: Queryable,
  row: ShareRow,
  { page, messages, files }: DraftContent,
): Promise<void> {
  await db.insertInto("shares").values(row).execute();
  await db.insertInto("share_pages").values({ share_id: row.id, page, messages }).execute();
  const named = files.map((fileId, position): ShareFileRow => {
    return { share_id: row.id, position, user_id: row.user_id, file_id: fileId };
  });
  if (named.length > 0) await db.insertInto("share_files").values(named).execute();
}

/** Deletes the drafts of an account. */
export async function deleteDrafts(db: Queryable, userId: string): Promise<void> {
  await db.deleteFrom("shares").where("user_id", "=", userId).where("published_at", "is", null).execute();
}

/**
 * Deletes the drafts that were made before a time, and the links that ended before it.
 * @param before Unix time in ms
 * @param shareDaysMax as for {@link countShares}
 */
export async function deleteLapsedShares(db: Queryable, before: number, shareDaysMax: number): Promise<void> {
  const oldest = shareDaysMax === 0 ? 0 : before - shareDaysMax * DAY;
  await db
    .deleteFrom("shares")
    .where((eb) =>
      eb.or([
        eb.and([eb("published_at", "is", null), eb("created_at", "<", before)]),
        eb("expires_at", "<", before),
        eb("published_at", "<", oldest),
      ]),
    )
    .execute();
}

type Publishing = Pick<ShareRow, "audience" | "group_id" | "published_at" | "expires_at">;

/** Makes a draft a link. */
export async function publishDraft(
  db: Queryable,
  id: string,
  published: Publishing & Pick<ShareRow, "token_hash">,
): Promise<void> {
  await db.updateTable("shares").set(published).where("id", "=", id).execute();
}

/**
 * Gives a link the content of a draft, and deletes the draft. The draft gets the size of the replaced content, which its
 * deletion subtracts from the account's stored bytes.
 */
export async function replaceContent(
  db: Queryable,
  { share, draft, published }: { share: ShareRow; draft: ShareRow; published: Publishing },
): Promise<void> {
  await db.deleteFrom("share_pages").where("share_id", "=", share.id).execute();
  await db.deleteFrom("share_files").where("share_id", "=", share.id).execute();
  for (const table of ["share_pages", "share_files"] as const) {
    await db.updateTable(table).set({ share_id: share.id }).where("share_id", "=", draft.id).execute();
  }
  const { title, leaf, options, created_at, bytes } = draft;
  await db
    .updateTable("shares")
    .set({ title, leaf, options, created_at, bytes, ...published })
    .where("id", "=", share.id)
    .execute();
  await db.updateTable("shares").set({ bytes: share.bytes }).where("id", "=", draft.id).execute();
  await db.deleteFrom("shares").where("id", "=", draft.id).execute();
}

/** Revokes a link, or deletes a draft, of an account. @returns it; undefined if there was none */
export async function deleteShare(db: Queryable, userId: string, id: string): Promise<ShareRow | undefined> {
  return db.deleteFrom("shares").where("user_id", "=", userId).where("id", "=", id).returningAll().executeTakeFirst();
}

/** Deletes the links and drafts of an account. @returns the ids of the chats of its links, one for each link */
export async function deleteSharesOf(db: Queryable, userId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom("shares")
    .where("user_id", "=", userId)
    .returning(["chat_id", "published_at"])
    .execute();
  return rows.filter(({ published_at }) => published_at !== null).map(({ chat_id }) => chat_id);
}

export async function readSharePage(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.selectFrom("share_pages").select("page").where("share_id", "=", id).executeTakeFirst();
  return row?.page;
}

export async function readShareMessages(db: Queryable, id: string): Promise<string | undefined> {
  const row = await db.selectFrom("share_pages").select("messages").where("share_id", "=", id).executeTakeFirst();
  return row?.messages;
}

/** Lists the files of a link in their order. */
export async function listShareFiles(db: Queryable, id: string): Promise<ShareFileRow[]> {
  return db.selectFrom("share_files").selectAll().where("share_id", "=", id).orderBy("position").execute();
}

/** Finds a file of a link. */
export async function findShareFile(db: Queryable, id: string, position: number): Promise<ShareFileRow | undefined> {
  return db
    .selectFrom("share_files")
    .selectAll()
    .where("share_id", "=", id)
    .where("position", "=", position)
    .executeTakeFirst();
}

/** Adds visits to a link that may have been revoked. */
export async function addVisits(db: Queryable, id: string, visits: number): Promise<void> {
  await db
    .updateTable("shares")
    .set((eb) => ({ visits: eb("visits", "+", visits) }))
    .where("id", "=", id)
    .execute();
}
