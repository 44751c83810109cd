import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ConfigError, parseConfig } from "../config/config.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";
import type { World } from "./command.ts";

/** Data folder and database (without its password) that an environment names. */
export type Installation = {
  dataDir: string;
  /** Path of the SQLite file, or host and name of the PostgreSQL database. */
  database: string;
  isPostgres: boolean;
};

/**
 * Returns the installation that a server in this environment would use; `undefined` if the configuration is invalid.
 */
export function findInstallation({ env, readFile }: Pick<World, "env" | "readFile">): Installation | undefined {
  try {
    const { config, secrets } = parseConfig(env, readFile);
    const dataDir = resolve(config.dataDir);
    const isPostgres = secrets.databaseUrl !== undefined;
    const database = secrets.databaseUrl === undefined ? sqliteFile(dataDir) : hostOf(secrets.databaseUrl);
    return { dataDir, database, isPostgres };
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

/** Describes an installation in one line for people. */
export function installationLine({ dataDir, database, isPostgres }: Installation): string {
  if (isPostgres) return `Installation: PostgreSQL at ${database}, with the data folder ${dataDir}`;
  return `Installation: ${database}${existsSync(database) ? "" : ", which does not exist yet"}`;
}

/** Returns host and database name of a URL, without the password. */
export function hostOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
