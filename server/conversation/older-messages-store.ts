import { sql } from "kysely";
import { fileKindOf } from "#contract/files.ts";
import type { MessageRow, Queryable } from "../database/schema.ts";
import type { NamedFile } from "../models/attachments/file-text.ts";
import { listInSteps, STEP_MESSAGES } from "./message-store.ts";

/** Messages of a branch that were not read for a prompt: how many, and their files, oldest first. */
export type OlderMessages = { messages: number; files: readonly NamedFile[] };

/** A message, once for each of its files. */
type Row = { id: string; parent: string | null } & (
  | { file: string; name: string; type: string }
  | { file: null; name: null; type: null }
);

/**
 * Returns a search for the messages before the first one of a cut branch, to be made outside its transaction; undefined
 * if the branch is whole. Finds none if the database is away.
 */
export function findOlder(
  db: Queryable,
  userId: string,
  branch: readonly MessageRow[],
): (() => Promise<OlderMessages>) | undefined {
  const parent = branch[0]?.parent ?? null;
  if (parent === null) return undefined;
  return () => readOlder(db, userId, parent).catch(() => ({ messages: 0, files: [] }));
}

async function readOlder(db: Queryable, userId: string, leaf: string): Promise<OlderMessages> {
  const rows = await listInSteps(leaf, (from) => readStep(db, userId, from));
  const files = rows.flatMap(({ file, name, type }): NamedFile[] =>
    file === null ? [] : [{ id: file, name, kind: fileKindOf(type) }],
  );
  return { messages: new Set(rows.map(({ id }) => id)).size, files };
}

async function readStep(db: Queryable, userId: string, from: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with recursive branch (id, parent, depth) as (
      select id, parent, 0 from messages where id = ${from} and user_id = ${userId}
      union all
      select m.id, m.parent, branch.depth + 1 from messages m join branch on branch.parent = m.id
      where m.user_id = ${userId} and branch.depth < ${sql.lit(STEP_MESSAGES - 1)})
    select branch.id, branch.parent, files.id as file, files.name, files.type from branch
    left join message_files on message_files.message_id = branch.id
    left join files on files.user_id = message_files.user_id and files.id = message_files.file_id
    order by branch.depth desc, message_files.position`.execute(db);
  return rows;
}
