import { SECOND } from "#contract/limits.ts";
import { findSchemaState } from "../../database/migrate.ts";
import type { Database } from "../../database/schema.ts";
import { hostOf } from "../installation.ts";
import { readDatabaseClock, readEngineVersion } from "./doctor-store.ts";
import { type CheckDeps, describeFault, errorCodeOf, type Finding, failure, ok, warning } from "./finding.ts";

const DATABASE = "database";
const CLOCK = "clock";

/** Differences of clocks: one that people notice, and one with which signatures and sign-ins fail. */
const NOTICED_MS = 5 * SECOND;
const BROKEN_MS = 60 * SECOND;

/** Codes of PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const refusals: Partial<Record<string, [found: string, advice: string]>> = {
  "28P01": ["refuses the password.", "Check user and password in DATABASE_URL."],
  "28000": ["refuses the user.", "Check the user in DATABASE_URL, and pg_hba.conf of that server."],
  "3D000": ["has no such database.", "Create it, or check the name in DATABASE_URL."],
  "53300": ["has no connection left.", "Raise max_connections, or see docs/scaling.md."],
  "57P03": ["is starting or stopping.", "Try again in a minute."],
};

/** An opened database, or the error with which that failed; undefined before the first start. */
export type OpenedDatabase = { database: Database } | { error: unknown } | undefined;

/** Checks that the database answers, and that its schema is that of this version. */
export async function checkDatabase({ secrets }: CheckDeps, opening: Promise<OpenedDatabase>): Promise<Finding> {
  const opened = await opening;
  if (!opened) {
    return warning(
      DATABASE,
      "There is no database yet.",
      "The first start creates it; check DATA_DIR if there is one.",
    );
  }
  try {
    if ("error" in opened) throw opened.error;
    return await schemaOf(opened.database, secrets.databaseUrl);
  } catch (error) {
    if (secrets.databaseUrl === undefined) {
      const advice = "Run the command “verify”, and restore a backup if it is damaged.";
      return failure(DATABASE, `The database cannot be read: ${errorCodeOf(error)}`, advice);
    }
    const { host } = new URL(secrets.databaseUrl);
    const [found, advice] = refusals[errorCodeOf(error)] ?? [];
    if (found && advice) return failure(DATABASE, `PostgreSQL at ${hostOf(secrets.databaseUrl)} ${found}`, advice);
    const fault = describeFault(error, host);
    return failure(DATABASE, fault.found, `${fault.advice} It is that of DATABASE_URL.`);
  }
}

async function schemaOf(database: Database, databaseUrl: string | undefined): Promise<Finding> {
  const engine = databaseUrl === undefined ? "SQLite" : `PostgreSQL at ${hostOf(databaseUrl)}, version`;
  const name = `${engine} ${await readEngineVersion(database)}`;
  const { applied, pending, unknown, isHalfCopied } = await findSchemaState(database);
  if (isHalfCopied) {
    const advice = "Run that command again until it completes.";
    return failure(DATABASE, `${name}: the target of an unfinished restore or move.`, advice);
  }
  if (unknown.length > 0) {
    const advice = "Run the newer version again, or restore a copy from before the upgrade (docs/operation.md).";
    return failure(DATABASE, `${name}: the schema is newer than this version (${unknown.join(", ")}).`, advice);
  }
  if (pending.length > 0) {
    const copy = databaseUrl === undefined ? "which copies it first." : "which does not copy it: make a backup first.";
    const found = `${name}: ${applied.length === 0 ? "empty" : `older than this version (${pending.join(", ")})`}.`;
    return warning(DATABASE, found, `The next start migrates it, ${copy}`);
  }
  return ok(DATABASE, `${name}, schema ${applied.at(-1)}.`);
}

/**
 * Compares the clock of this machine with those of others.
 * @param answeredAt time that a web server reported, as read at `readAt`; undefined without an answer
 */
export async function checkClock(
  { secrets }: CheckDeps,
  opening: Promise<OpenedDatabase>,
  reading: Promise<{ answeredAt: number; readAt: number } | undefined>,
): Promise<Finding> {
  const [opened, read] = [await opening, await reading];
  const differences: [source: string, ms: number][] = [];
  if (secrets.databaseUrl !== undefined && opened && "database" in opened) {
    const begunAt = Date.now();
    const theirs = await readDatabaseClock(opened.database).catch(() => undefined);
    if (theirs !== undefined) differences.push(["PostgreSQL", theirs - (begunAt + Date.now()) / 2]);
  }
  // The header has whole seconds.
  if (read) differences.push(["the public address", read.answeredAt + SECOND / 2 - read.readAt]);
  if (differences.length === 0)
    return ok(CLOCK, `${new Date().toISOString()}; there is no other clock to compare it with.`);
  const [source, ms] = differences.reduce((most, each) => (Math.abs(each[1]) > Math.abs(most[1]) ? each : most));
  const found = `This machine is ${Math.abs(Math.round(ms / SECOND))} s ${ms > 0 ? "behind" : "ahead of"} ${source}.`;
  const advice = "Set the clocks of both machines by NTP (timedatectl set-ntp true).";
  if (Math.abs(ms) >= BROKEN_MS) return failure(CLOCK, found, advice);
  if (Math.abs(ms) >= NOTICED_MS) return warning(CLOCK, found, advice);
  return ok(CLOCK, `Agrees with ${differences.map(([name]) => name).join(" and ")}.`);
}
