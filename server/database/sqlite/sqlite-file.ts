import { join } from "node:path";

/** Path of the SQLite file in a data folder. */
export const sqliteFile = (dataDir: string) => join(dataDir, "parley.db");

/** Suffixes of files that SQLite writes beside the database. */
export const BESIDE = ["-wal", "-shm"] as const;
