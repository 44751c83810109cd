import { migrate } from "../../../database/migrate.ts";
import { openAsItIs } from "../../../database/open.ts";
import type { Database } from "../../../database/schema.ts";
import { type Call, Refusal } from "../../command.ts";
import { lockOutServers, openCurrent } from "../../open-installation.ts";
import { claimTarget, refuseTarget } from "../claim-target.ts";
import { countTables, differences } from "../compare.ts";
import { analyze, countAccounts, endCopy, findCopySource, noteProgress, readProgress } from "../copy-store.ts";
import type { TableCount } from "../digest.ts";
import { continueNumbers, findShapes, insertRows, keyOf, readRows, type TableShape } from "../row-store.ts";

export type Moved = { counts: TableCount[]; isResumed: boolean };

/**
 * Copies everything from the SQLite file of the data folder to a PostgreSQL database, and compares row by row. Resumes
 * a copy that was killed. Does not change the file.
 * @throws Refusal if a server has locked the folder, or the target has accounts of its own
 */
export async function move(call: Call, postgresUrl: string): Promise<Moved> {
  const { dataDir } = call.configuration().config;
  using _lock = await lockOutServers(call);
  await using opened = new AsyncDisposableStack();
  const source = opened.adopt(await openCurrent(call), (db) => db.destroy());
  const target = opened.adopt(await openAsItIs({ dataDir, postgresUrl }), (db) => db.destroy());
  const name = await nameOf(source);
  const isResumed = await isOwnHalf(target, name);
  if (!isResumed) await claimTarget(target, name);
  return { counts: await copyAndCompare(call, { source, target, name, isResumed }), isResumed };
}

/** Identifies a source by the id of its oldest account, which no other source has. */
async function nameOf(source: Database): Promise<string> {
  const oldest = await source.selectFrom("users").select("id").orderBy("id").limit(1).executeTakeFirst();
  return `move ${oldest?.id ?? "of nothing"}`;
}

/** Whether the target is an unfinished copy of this source. @throws Refusal if it is not empty otherwise */
async function isOwnHalf(target: Database, name: string): Promise<boolean> {
  await refuseTarget(target);
  const source = await findCopySource(target);
  if (source === name) return true;
  if (source !== undefined) throw new Refusal("The target contains another unfinished restore or move.");
  const accounts = await countAccounts(target);
  if (accounts) throw new Refusal(`The target already has accounts (${accounts}): name an empty database.`);
  return false;
}

type Copy = { source: Database; target: Database; name: string; isResumed: boolean };

async function copyAndCompare(call: Call, { source, target, name, isResumed }: Copy): Promise<TableCount[]> {
  await copyRows(call, source, target);
  const [wanted, found] = [await countTables(source), await countTables(target)];
  const wrong = differences(wanted, found);
  if (wrong.length === 0) {
    await analyze(target);
    await endCopy(target);
    return found;
  }
  if (!isResumed) throw new Error(`The target differs from what was copied to it: ${wrong.join(", ")}.`);
  call.print(`The source has changed since the move began (${wrong.join(", ")}): everything is copied again.`);
  await claimTarget(target, name);
  return copyAndCompare(call, { source, target, name, isResumed: false });
}

async function copyRows(call: Call, source: Database, target: Database): Promise<void> {
  await migrate(target, { isCopying: true });
  for (const shape of await findShapes(source)) {
    const { isDone, lastKey } = await readProgress(target, shape.name);
    if (isDone) continue;
    const rows = await copyTable({ source, target, shape, lastKey });
    call.print(`${shape.name}: ${rows} rows${lastKey ? " more" : ""}`);
  }
  await continueNumbers(target);
}

type TableCopy = { source: Database; target: Database; shape: TableShape; lastKey: unknown[] | undefined };

/** Stores rows and progress in the same transaction, so that a kill causes neither gaps nor duplicates. */
async function copyTable({ source, target, shape, lastKey }: TableCopy): Promise<number> {
  let copied = 0;
  let last = lastKey;
  for await (const rows of readRows(source, shape, lastKey)) {
    const final = rows.at(-1);
    if (final) last = keyOf(shape, final);
    await target.transaction().execute(async (db) => {
      await insertRows(db, shape, rows);
      await noteProgress(db, shape.name, { lastKey: last, isDone: false });
    });
    copied += rows.length;
  }
  await noteProgress(target, shape.name, { lastKey: last, isDone: true });
  return copied;
}
