import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ConfigError, parseConfig } from "../config/config.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";
import type { World } from "./command.ts";

/** What an environment names: its data folder, and its database without the password. */
export type Installation = {
  dataDir: string;
  /** The file, or host and name. */
  database: string;
  /** Whether `database` is one of PostgreSQL. */
  isPostgres: boolean;
};

/** @returns the one that a server would be started on; none where the environment cannot be understood */
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

/** A line for people. */
export function installationLine({ dataDir, database, isPostgres }: Installation): string {
  if (isPostgres) return `Installation: PostgreSQL at ${database}, with the data folder ${dataDir}`;
  return `Installation: ${database}${existsSync(database) ? "" : ", which is not there yet"}`;
}

/** Host and name of the database of a URL, without the password. */
export function hostOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
