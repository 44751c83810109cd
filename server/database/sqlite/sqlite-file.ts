import { join } from "node:path";

/** Where SQLite's file is in a data folder. */
export const sqliteFile = (dataDir: string) => join(dataDir, "parley.db");

/** Ends of the names of what SQLite writes beside a file. */
export const BESIDE = ["-wal", "-shm"] as const;
