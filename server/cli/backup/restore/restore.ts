import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openAsItIs } from "../../../database/open.ts";
import type { Database } from "../../../database/schema.ts";
import { nameForReplaced } from "../../../database/snapshots.ts";
import { openStores, storesSettingsOf } from "../../../files/stores/open-stores.ts";
import type { Call } from "../../command.ts";
import { lockOutServers } from "../../open-installation.ts";
import { claimTarget, refuseTarget } from "../claim-target.ts";
import { analyze, countAccounts, endCopy, findCopySource } from "../copy-store.ts";
import { loadInto, type Restored, type RestoreSource } from "../load.ts";
import { writeBackup } from "../write-backup.ts";
import { storeTarget } from "./attached-targets.ts";
import { agreeToReplace, printStashed, type Replacement, reasonOf, refuseWithoutForce } from "./replacing.ts";
import { intoSqlite, tryOut } from "./restore-sqlite.ts";

const SOURCE = "restore";

export type RestoreResult = Restored & {
  /** Path of the stashed former content; `null` if there was none. */
  replaced: string | null;
  /** Whether the secret of the backup is now in the data folder. */
  hasSecret: boolean;
};

/**
 * Replaces the database and files of the data folder by those of a source. Servers must be stopped.
 * @throws Refusal if there are accounts and --force is not given, or if a server is running
 */
export async function restore(call: Call, source: RestoreSource): Promise<RestoreResult> {
  const { config, secrets } = call.configuration();
  using _lock = await lockOutServers(call);
  const { restored, replaced } = secrets.databaseUrl
    ? await intoPostgres(call, source, secrets.databaseUrl)
    : await intoSqlite(call, source);
  const hasSecret = await putFiles(config.dataDir, restored, secrets.secretKey !== undefined);
  return { ...restored, replaced, hasSecret };
}

async function intoPostgres(call: Call, source: RestoreSource, postgresUrl: string): Promise<Replacement> {
  const { dataDir } = call.configuration().config;
  const database = await openAsItIs({ dataDir, postgresUrl });
  try {
    await refuseTarget(database);
    const isUnfinished = (await findCopySource(database)) === SOURCE;
    const accounts = isUnfinished ? 0 : ((await countAccounts(database)) ?? 0);
    if (accounts > 0) refuseWithoutForce(call, accounts);
    await tryOut(call, source);
    if (accounts > 0) await agreeToReplace(call, accounts);
    const replaced = accounts > 0 ? await backUpFirst(call) : null;
    return { restored: await fillAnew(call, source, { database, replaced }), replaced };
  } finally {
    await database.destroy();
  }
}

/** Marks the database until the restore is complete, so that a server started meanwhile refuses to run on it. */
async function fillAnew(
  call: Call,
  source: RestoreSource,
  { database, replaced }: { database: Database; replaced: string | null },
): Promise<Restored> {
  await claimTarget(database, SOURCE);
  try {
    const settings = storesSettingsOf(call.configuration());
    await using stores = await openStores({ database, ...settings });
    const target = storeTarget(stores.files, settings.dataDir, source);
    const restored = await loadInto({ source, database, hasCredentials: call.has("keep-sessions"), target });
    await analyze(database);
    await endCopy(database);
    return restored;
  } catch (cause) {
    const way = replaced ? ` The old data is stored as ${replaced} and can be restored.` : "";
    throw new Error(`The restore failed: no server starts until a restore has completed.${way} ${reasonOf(cause)}`, {
      cause,
    });
  }
}

async function backUpFirst(call: Call): Promise<string> {
  const file = await nameForReplaced(call.configuration().config.dataDir, ".parley");
  await writeBackup(call, file);
  printStashed(call, file);
  return file;
}

async function putFiles(dataDir: string, { files }: Restored, hasOwnSecret: boolean): Promise<boolean> {
  let hasSecret = false;
  for (const { path, content } of files) {
    if (path === "secret-key" && hasOwnSecret) continue;
    hasSecret ||= path === "secret-key";
    const target = join(dataDir, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(`${target}.partial`, content, { mode: 0o600, flush: true });
    await rename(`${target}.partial`, target);
  }
  return hasSecret;
}
