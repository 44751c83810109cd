import { migrate } from "../../../database/migrate.ts";
import { openAsItIs } from "../../../database/open.ts";
import type { Database } from "../../../database/schema.ts";
import { ChunkFileStore } from "../../../files/stores/chunk-store.ts";
import { openStores, storesSettingsOf } from "../../../files/stores/open-stores.ts";
import { type Call, Refusal } from "../../command.ts";
import { lockOutServers, openCurrent } from "../../open-installation.ts";
import { copyFile, readReadyFiles } from "../attached-files.ts";
import { claimTarget, refuseTarget } from "../claim-target.ts";
import { countTables, differences } from "../compare.ts";
import { analyze, countAccounts, endCopy, findCopySource, noteProgress, readProgress } from "../copy-store.ts";
import type { TableCount } from "../digest.ts";
import { refuseUnreadable } from "../refuse-unreadable.ts";
import { continueNumbers, findShapes, insertRows, keyOf, readRows, type TableShape } from "../row-store.ts";

/** `attached`: number of attached files that are copied. `missing`: keys of those without bytes in the source. */
type MovedFiles = { attached: number; missing: string[] };

export type Moved = MovedFiles & { counts: TableCount[]; isResumed: boolean };

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
  await refuseUnreadable(call, source);
  const target = opened.adopt(await openAsItIs({ dataDir, postgresUrl }), (db) => db.destroy());
  const name = await nameOf(source);
  const isResumed = await isOwnHalf(target, name);
  if (!isResumed) await claimTarget(target, name);
  return { ...(await copyAndCompare(call, { source, target, name, isResumed })), isResumed };
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

async function copyAndCompare(call: Call, copy: Copy): Promise<Omit<Moved, "isResumed">> {
  const { source, target, name, isResumed } = copy;
  await copyRows(call, source, target);
  const [wanted, found] = [await countTables(source), await countTables(target)];
  const wrong = differences(wanted, found);
  if (wrong.length === 0) {
    const files = await copyFiles(call, copy);
    await analyze(target);
    await endCopy(target);
    return { counts: found, ...files };
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

/**
 * Copies attached files into rows, and compares their digests. Skips files that an interrupted move has copied. Those at
 * an S3-compatible server stay there.
 */
async function copyFiles(call: Call, { source, target }: Copy): Promise<MovedFiles> {
  const settings = storesSettingsOf(call.configuration());
  await using stores = await openStores({ database: source, ...settings });
  const { files: from } = stores;
  const to = settings.s3 ? from : new ChunkFileStore(target);
  const moved: MovedFiles = { attached: 0, missing: [] };
  for await (const { key } of readReadyFiles(source)) {
    if (to === from ? (await from.sizeOf(key)) !== undefined : await copyFile(key, from, to)) moved.attached++;
    else moved.missing.push(key);
  }
  call.print(`${moved.attached} attached files`);
  return moved;
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
