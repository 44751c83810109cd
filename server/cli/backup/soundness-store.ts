import { type RawBuilder, sql } from "kysely";
import { isOnSqlite } from "../../database/is-on-sqlite.ts";
import type { Queryable } from "../../database/schema.ts";
import { isDamage } from "../../database/violations.ts";
import { findCycles } from "./cycles-store.ts";

/** A failed check, the number of its rows, and the ids of some. */
export type Problem = { check: string; rows: number; examples: string[] };

/** Number of rows that a problem names. */
export const EXAMPLES = 5;

type Check = { check: string; ids: RawBuilder<unknown> };

/** Rows that refer to nothing or to rows of another account, which no constraint of the database prevents. */
const trees: Check[] = [
  {
    check: "messages whose parent is not in their chat",
    ids: sql`select m.id from messages m where m.parent is not null and not exists
      (select 1 from messages p where p.id = m.parent and p.chat_id = m.chat_id)`,
  },
  {
    check: "chats whose selected message is not in them",
    ids: sql`select c.id from chats c where c.leaf is not null and not exists
      (select 1 from messages m where m.id = c.leaf and m.chat_id = c.id)`,
  },
  {
    check: "messages that belong to another account than their chat",
    ids: sql`select m.id from messages m join chats c on c.id = m.chat_id where m.user_id <> c.user_id`,
  },
  {
    check: "chunks of replies that are not being written",
    ids: sql`select distinct r.message_id as id from reply_chunks r join messages m on m.id = r.message_id
      where m.state <> 'writing'`,
  },
  {
    check: "chats in a folder of another account",
    ids: sql`select c.id from chats c join folders f on f.id = c.folder_id where f.user_id <> c.user_id`,
  },
  {
    check: "chats with a preset of another account",
    ids: sql`select c.id from chats c join presets p on p.id = c.preset_id where p.user_id <> c.user_id`,
  },
  {
    check: "chats with a change number above that of their account",
    ids: sql`select c.id from chats c join users u on u.id = c.user_id where c.changed_seq > u.change_seq`,
  },
];

const searches: Check[] = [
  {
    check: "messages that are missing from the search index",
    // Deletion removes the search entries before the messages.
    ids: sql`select m.id from messages m join chats c on c.id = m.chat_id join users u on u.id = m.user_id
      where m.content <> '' and m.state <> 'writing' and c.deleted_at is null and u.delete_at is null
      and not exists (select 1 from search_entries e where e.message_id = m.id and e.file_id is null)`,
  },
  {
    check: "attached files that are missing from the search index",
    ids: sql`select f.key as id from message_files n join messages m on m.id = n.message_id
      join files f on f.user_id = n.user_id and f.id = n.file_id
      join chats c on c.id = m.chat_id join users u on u.id = m.user_id
      where c.deleted_at is null and u.delete_at is null
      and not exists (select 1 from search_entries e where e.message_id = m.id and e.file_id = f.id)`,
  },
  {
    check: "search entries of files that their message does not name",
    ids: sql`select e.id from search_entries e where e.file_id is not null and not exists
      (select 1 from message_files n where n.message_id = e.message_id and n.file_id = e.file_id)`,
  },
  {
    check: "search entries with a wrong chat",
    ids: sql`select e.id from search_entries e join messages m on m.id = e.message_id where m.chat_id <> e.chat_id`,
  },
];

const searchOnSqlite: Check[] = [
  {
    check: "search entries without words",
    ids: sql`select e.id from search_entries e where not exists
      (select 1 from search_tokens t where t.rowid = e.id and t.tokens <> '')`,
  },
  {
    check: "search words without an entry",
    ids: sql`select t.rowid as id from search_tokens t where not exists
      (select 1 from search_entries e where e.id = t.rowid)`,
  },
];

const searchOnPostgres: Check[] = [
  {
    check: "search entries without words",
    ids: sql`select id from search_entries where length(tokens) = 0`,
  },
];

/**
 * Finds inconsistencies that no constraint of the database prevents. Excludes damage to the file. Requires the current
 * schema.
 */
export async function findProblems(db: Queryable): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const { check, ids } of [...trees, ...searches, ...(isOnSqlite(db) ? searchOnSqlite : searchOnPostgres)]) {
    const { rows } = await sql<{ id: string | number }>`${ids}`.execute(db);
    const examples = rows.slice(0, EXAMPLES).map(({ id }) => String(id));
    if (rows.length > 0) problems.push({ check, rows: rows.length, examples });
  }
  const cycles = await findCycles(db);
  if (cycles.length > 0) {
    const check = "messages whose parents form a cycle";
    problems.push({ check, rows: cycles.length, examples: cycles.slice(0, EXAMPLES) });
  }
  return problems;
}

const FILE_DAMAGE = "damage to the file";

/** Runs SQLite's own checks for damaged pages and indexes, and for broken foreign keys. Empty on PostgreSQL. */
export async function findDamage(db: Queryable): Promise<Problem[]> {
  if (!isOnSqlite(db)) return [];
  try {
    const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
    const damages = pages.rows.map((row) => row.integrity_check).filter((word) => word !== "ok");
    const references = await sql<{ table: string; rowid: number | null }>`pragma foreign_key_check`.execute(db);
    const lost = references.rows.map(({ table, rowid }) => `${table} ${rowid}`);
    return [
      { check: FILE_DAMAGE, rows: damages.length, examples: damages.slice(0, EXAMPLES) },
      { check: "rows that reference missing rows", rows: lost.length, examples: lost.slice(0, EXAMPLES) },
    ].filter(({ rows }) => rows > 0);
  } catch (error) {
    return [toProblem(error)];
  }
}

/** Converts an error that a damaged file caused. @throws any other error */
export function toProblem(error: unknown): Problem {
  if (!(error instanceof Error && isDamage(error))) throw error;
  return { check: FILE_DAMAGE, rows: 1, examples: [error.message] };
}
