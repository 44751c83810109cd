import { ConfigError } from "../config/config.ts";
import type { Database } from "../database/schema.ts";
import type { Log } from "../log.ts";
import { findByKeys, sampleReady } from "./attached-file-store.ts";
import { StoreFailure } from "./stores/file-store.ts";
import type { Stores } from "./stores/open-stores.ts";

/** Files that are checked: half of them the oldest, half the newest. */
const SAMPLE = 6;

type Deps = Pick<Stores, "files" | "location" | "check"> & { database: Database; log: Log };

/**
 * Checks at the start that the store is usable and has the attached files of the database. A server on another store
 * would show none of them, and delete none of their bytes. A store that does not answer causes a warning only.
 * @throws ConfigError if the store refuses the credentials, or has none of a sample of files
 */
export async function refuseOtherStore({ database, files, location, check, log }: Deps): Promise<void> {
  try {
    await check();
    const sample = await sampleReady(database, SAMPLE);
    const sizes = await Promise.all(sample.map((key) => files.sizeOf(key)));
    const missing = sample.filter((_, at) => sizes[at] === undefined);
    // Another server may have deleted some meanwhile.
    const known = await findByKeys(database, missing);
    if (known.size === 0) return;
    if (known.size === sample.length) throw new ConfigError([elsewhere(location)]);
    log.error({ files: [...known.keys()] }, "attached files have no bytes: run the command files verify");
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    if (!error.isTemporary) throw new ConfigError([`FILES_URL cannot be used. ${error.reason}`], { cause: error });
    log.warn({ reason: error.reason }, "attached files are not available, and are not checked");
  }
}

const elsewhere = (location: string) =>
  `The attached files are not in ${location}. If they are elsewhere, set FILES_URL as before, or bring them here by ` +
  "npm run admin -- files move. If they are lost, files move removes them too.";
