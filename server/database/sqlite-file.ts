import { join } from "node:path";

/** Where SQLite's file is in a data folder. */
export const sqliteFile = (dataDir: string) => join(dataDir, "parley.db");
