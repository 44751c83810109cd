import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { CommittingDatabase } from "../../../database/after-commit.ts";
import { openAsItIs } from "../../../database/open.ts";
import type { Database } from "../../../database/schema.ts";
import { moveDurably, stashDamaged, stashReplaced, UnsoundCopy } from "../../../database/snapshots.ts";
import { openSqliteDialect } from "../../../database/sqlite/sqlite.ts";
import { BESIDE, sqliteFile } from "../../../database/sqlite/sqlite-file.ts";
import { truncateLog } from "../../../database/sqlite/truncate-log.ts";
import { isDamage } from "../../../database/violations.ts";
import { openS3Files, storesSettingsOf } from "../../../files/stores/open-stores.ts";
import { type Call, Refusal } from "../../command.ts";
import { countAccounts } from "../copy-store.ts";
import { type AttachedTarget, loadInto, type RestoreSource } from "../load.ts";
import { refuseUnreadable } from "../refuse-unreadable.ts";
import { type ReplacingTarget, remoteTarget, StagedFiles } from "./attached-targets.ts";
import {
  type AccountCount,
  agreeToReplace,
  printStashed,
  type Replacement,
  reasonOf,
  refuseWithoutForce,
} from "./replacing.ts";

/** Restores a source into a temporary file, which then replaces the database atomically. */
export async function intoSqlite(call: Call, source: RestoreSource): Promise<Replacement> {
  const { dataDir } = call.configuration().config;
  const file = sqliteFile(dataDir);
  const accounts = existsSync(file) ? await findAccounts(dataDir) : 0;
  if (accounts !== 0) await agreeToReplace(call, accounts);
  await using staged = await stagedFor(call, source);
  return await besideIn(dataDir, async (beside) => {
    const restored = await fill(call, beside, source, { hasCredentials: call.has("keep-sessions"), target: staged });
    const replaced = await stashCurrent(call);
    if (replaced) {
      printStashed(call, replaced);
      await staged.stash(replaced);
    }
    // Before the database, so that a kill leaves files without a row rather than rows without a file.
    await staged.publish();
    // SQLite would apply a leftover write-ahead log to the new file.
    await removeBeside(file);
    await moveDurably(beside, file);
    return { restored, replaced };
  });
}

/** Returns an empty target for attached files. @throws Refusal if the source cannot be restored */
async function stagedFor(call: Call, source: RestoreSource): Promise<ReplacingTarget> {
  const { dataDir, s3 } = storesSettingsOf(call.configuration());
  if (s3) {
    // Its files are put among those of the old database.
    await tryOut(call, source);
    return remoteTarget(await openS3Files(s3), dataDir, source);
  }
  const staged = new StagedFiles(dataDir, source);
  await staged[Symbol.asyncDispose]();
  return staged;
}

/**
 * Restores a source into a temporary file, so that its errors are found before anything is changed.
 * @throws Refusal if the source cannot be restored
 */
export async function tryOut(call: Call, source: RestoreSource): Promise<void> {
  const { dataDir } = call.configuration().config;
  await besideIn(dataDir, (beside) => fill(call, beside, source, { hasCredentials: true }));
}

/**
 * Runs `work` with a temporary file in the data folder, because the system's folder for such files may be too small.
 */
async function besideIn<T>(dataDir: string, work: (beside: string) => Promise<T>): Promise<T> {
  const beside = `${sqliteFile(dataDir)}.restoring`;
  await removeSqlite(beside);
  try {
    return await work(beside);
  } finally {
    await removeSqlite(beside);
  }
}

type FillOptions = { hasCredentials: boolean; target?: AttachedTarget };

/** Loads a source into `file`. Reports every error as a Refusal, because nothing was changed. */
async function fill(call: Call, file: string, source: RestoreSource, options: FillOptions) {
  const database = new CommittingDatabase(openSqliteDialect(file));
  try {
    const restored = await loadInto({ source, database, ...options });
    await refuseUnreadable(call, database, restored.files);
    await foldLog(database);
    return restored;
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal(`${source.file} cannot be restored, and nothing was changed: ${reasonOf(cause)}`, "refused", {
      cause,
    });
  } finally {
    await database.destroy();
  }
}

async function findAccounts(dataDir: string): Promise<AccountCount> {
  const database = await openAsItIs({ dataDir });
  try {
    return (await countAccounts(database)) ?? 0;
  } catch (error) {
    if (isDamage(error)) return "unknown";
    throw error;
  } finally {
    await database.destroy();
  }
}

/**
 * Stashes the current database, and returns the path of the stash: a copy of it, its own files if it is damaged, or
 * only its log if the file is missing.
 */
async function stashCurrent(call: Call): Promise<string | null> {
  const { dataDir } = call.configuration().config;
  const file = sqliteFile(dataDir);
  if (!existsSync(file)) return await stashDamaged(dataDir);
  try {
    const replaced = await stashReplaced(dataDir);
    const database = await openAsItIs({ dataDir });
    await foldLog(database).finally(() => database.destroy());
    return replaced;
  } catch (error) {
    if (!(error instanceof UnsoundCopy || isDamage(error))) throw error;
    refuseWithoutForce(call, "unknown");
    call.print("The database is damaged; its files are moved unchanged.");
    return await stashDamaged(dataDir);
  }
}

/**
 * Checkpoints the write-ahead log into the file, which is then moved without its log. Closing the database would do so
 * too, but not report a failure.
 * @throws Refusal if another program reads the database
 */
async function foldLog(database: Database): Promise<void> {
  if (!(await truncateLog(database))) throw new Refusal("Another program is reading the database: end it first.");
}

async function removeSqlite(file: string): Promise<void> {
  await rm(file, { force: true });
  await removeBeside(file);
}

async function removeBeside(file: string): Promise<void> {
  for (const suffix of BESIDE) await rm(file + suffix, { force: true });
}
