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
import { type Call, Refusal } from "../../command.ts";
import { countAccounts } from "../copy-store.ts";
import { loadInto, type RestoreSource } from "../load.ts";
import { type AccountCount, agreeToReplace, printStashed, type Replacement, refuseWithoutForce } from "./replacing.ts";

/** Everything goes into a file beside, which takes the place of the other one at once. */
export async function intoSqlite(call: Call, source: RestoreSource): Promise<Replacement> {
  const { dataDir } = call.configuration().config;
  const file = sqliteFile(dataDir);
  const accounts = existsSync(file) ? await findAccounts(dataDir) : 0;
  if (accounts !== 0) await agreeToReplace(call, accounts);
  return await besideIn(dataDir, async (beside) => {
    const restored = await fill(beside, source, { isSignedIn: call.has("keep-sessions") });
    const replaced = await stashCurrent(call);
    if (replaced) printStashed(call, replaced);
    // A log beside it would be taken for its own.
    await removeBeside(file);
    await moveDurably(beside, file);
    return { restored, replaced };
  });
}

/**
 * Restores a source into a file that is removed again, so that whatever is wrong with it is found while nothing is
 * changed.
 * @throws Refusal
 */
export async function tryOut(dataDir: string, source: RestoreSource): Promise<void> {
  await besideIn(dataDir, (beside) => fill(beside, source, { isSignedIn: true }));
}

/** In the data folder, where there is room for it: other places for passing files may be small. */
async function besideIn<T>(dataDir: string, work: (beside: string) => Promise<T>): Promise<T> {
  const beside = `${sqliteFile(dataDir)}.restoring`;
  await removeSqlite(beside);
  try {
    return await work(beside);
  } finally {
    await removeSqlite(beside);
  }
}

/** Whatever goes wrong here, nothing was changed. */
async function fill(file: string, source: RestoreSource, { isSignedIn }: { isSignedIn: boolean }) {
  const database = new CommittingDatabase(openSqliteDialect(file));
  try {
    const restored = await loadInto({ source, database, isSignedIn });
    await foldLog(database);
    return restored;
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal(`${source.file} cannot be restored, and nothing was changed: ${reason}`, "refused", { cause });
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

/** Keeps what is there: a copy of it, or its own files where it is damaged, or only the log of one that is gone. */
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
    call.print("It is damaged, and kept as it was.");
    return await stashDamaged(dataDir);
  }
}

/** Before the file is taken away alone. Closing would do so too, but not say where it could not. @throws Refusal */
async function foldLog(database: Database): Promise<void> {
  if (!(await truncateLog(database))) throw new Refusal("Another program reads the database: end that first.");
}

async function removeSqlite(file: string): Promise<void> {
  await rm(file, { force: true });
  await removeBeside(file);
}

async function removeBeside(file: string): Promise<void> {
  for (const suffix of BESIDE) await rm(file + suffix, { force: true });
}
