import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { fileKindOf } from "#contract/files/files.ts";
import { inRuns } from "../database/in-runs.ts";
import type { Queryable } from "../database/schema.ts";
import { isNoResult } from "../files/attached-file-store.ts";
import type { NamedFile } from "../models/attachments/file-text.ts";
import { type BranchMessage, walkBranch } from "./branch-store.ts";

/** Messages of a branch that were not read for a prompt: how many, and their files, oldest first. */
export type OlderMessages = { messages: number; files: readonly NamedFile[] };

/**
 * Returns a search for the messages before the first one of a cut branch, to be made outside its transaction; undefined
 * if the branch is whole. Finds none if the database is away.
 */
export function findOlder(
  db: Queryable,
  userId: string,
  branch: readonly BranchMessage[],
): (() => Promise<OlderMessages>) | undefined {
  const parent = branch[0]?.parent ?? null;
  if (parent === null) return undefined;
  return () => readOlder(db, userId, parent).catch(() => ({ messages: 0, files: [] }));
}

async function readOlder(db: Queryable, userId: string, leaf: string): Promise<OlderMessages> {
  const steps: NamedFile[][] = [];
  let messages = 0;
  for await (const step of walkBranch(db, userId, leaf)) {
    messages += step.length;
    const files: NamedFile[] = [];
    const counts = await countFiles(
      db,
      step.flatMap(({ id, rev }) => (rev > 0 ? [id] : [])),
    );
    const naming = step.flatMap(({ id }) => (counts.has(id) ? [id] : []));
    for (const run of inRuns(naming, (id) => counts.get(id) ?? 0)) {
      // Yields to the event loop, because SQLite queries are synchronous.
      await setImmediate();
      files.push(...(await listFiles(db, run)));
    }
    await setImmediate();
    steps.push(files);
  }
  return { messages, files: steps.reverse().flat() };
}

/** Returns the number of files of each message that names some. */
async function countFiles(db: Queryable, messageIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (messageIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("message_files")
    .select(["message_id", sql<number>`cast(count(*) as integer)`.as("files")])
    .where("message_id", "in", messageIds)
    .groupBy("message_id")
    .execute();
  return new Map(rows.map(({ message_id, files }) => [message_id, files]));
}

/** Lists the files of some messages in the order of the messages. */
async function listFiles(db: Queryable, messageIds: readonly string[]): Promise<NamedFile[]> {
  const rows = await db
    .selectFrom("message_files")
    .innerJoin("files", (join) =>
      join.onRef("files.user_id", "=", "message_files.user_id").onRef("files.id", "=", "message_files.file_id"),
    )
    .select(["message_files.message_id", "files.id", "files.name", "files.type"])
    .where("message_files.message_id", "in", messageIds)
    .where(isNoResult)
    .orderBy("message_files.position")
    .execute();
  const byMessage = Map.groupBy(rows, (row) => row.message_id);
  return messageIds.flatMap((messageId) =>
    (byMessage.get(messageId) ?? []).map(({ id, name, type }) => ({ id, name, kind: fileKindOf(type ?? "") })),
  );
}
