import { existsSync } from "node:fs";
import { pino } from "pino";
import { type AccountContext, openAccountLetters, openAccounts } from "../accounts/accounts.ts";
import { topics } from "../bus/bus.ts";
import { openBus } from "../bus/open-bus.ts";
import type { Config } from "../config/config.ts";
import { takeDataFolder } from "../config/data-folder.ts";
import { SecretCipher } from "../config/secret-cipher.ts";
import { findSecretKey, loadSecretKey } from "../config/secret-key.ts";
import type { Secrets } from "../config/secrets.ts";
import { findSchemaState, refuseUnusable, type SchemaState } from "../database/migrate.ts";
import { openAsItIs, openDatabase } from "../database/open.ts";
import type { Database } from "../database/schema.ts";
import { sqliteFile } from "../database/sqlite/sqlite-file.ts";
import { InstallationSettings } from "../installation/installation-settings.ts";
import { openLimits } from "../limits/open-limits.ts";
import type { Log } from "../log.ts";
import { Outbox } from "../mail/outbox.ts";
import { Outbound } from "../outbound/outbound.ts";
import { type Call, Refusal } from "./command.ts";

export type CommandDeps = AsyncDisposable & AccountContext & { secretKey: string; log: Log };

const settingsOf = ({ config, secrets }: { config: Config; secrets: Secrets }) => ({
  dataDir: config.dataDir,
  ...(secrets.databaseUrl && { postgresUrl: secrets.databaseUrl }),
});

/**
 * Opens a database whose schema is that of this version, whether a server uses it or not.
 * @throws Refusal if migrations are pending; Error with a message for the console if the schema is newer, or there is
 *   no database
 */
export async function openCurrent(call: Call): Promise<Database> {
  return onlyCurrent(await openAsItIs(settingsOf(call.configuration())));
}

/** Like {@link openCurrent}, but opens the database like {@link openForReading}. */
export async function openCurrentForReading(call: Call): Promise<Database> {
  return onlyCurrent(await openForReading(call));
}

/** Opens a database of any version for reads, which block no writer. @throws Error if there is no database */
export function openForReading(call: Call): Promise<Database> {
  return openAsItIs(settingsOf(call.configuration()), { isReadOnly: true });
}

/** Returns whether there is a database, as far as that is known without a connection: one at a server is. */
export function databaseExists(call: Call): boolean {
  const { config, secrets } = call.configuration();
  return secrets.databaseUrl !== undefined || existsSync(sqliteFile(config.dataDir));
}

/** Returns the state of the schema; `undefined` if there is no database. */
export async function findState(call: Call): Promise<SchemaState | undefined> {
  const database = await openAsItIs(settingsOf(call.configuration())).catch(() => undefined);
  return database && findSchemaState(database).finally(() => database.destroy());
}

async function onlyCurrent(database: Database): Promise<Database> {
  try {
    const state = await findSchemaState(database);
    refuseUnusable(state);
    if (state.pending.length > 0) {
      throw new Refusal("The database is not up to date with this version yet: start the server once, then try again.");
    }
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/**
 * Locks the data folder, so that no server can start on it.
 * @throws Refusal if a server has already locked the folder, or the folder cannot be used
 */
export async function lockOutServers(call: Call): Promise<Disposable> {
  try {
    return await takeDataFolder(call.configuration().config.dataDir);
  } catch (cause) {
    throw new Refusal(cause instanceof Error ? cause.message : String(cause), "refused", { cause });
  }
}

/**
 * Creates database and secret if there are none, as the first start of a server does. Requires --init, because a user
 * who forgot DATA_DIR means another installation.
 * @throws Refusal if --init is missing
 */
export async function beginInstallation(call: Call): Promise<void> {
  const { config, secrets } = call.configuration();
  const state = await findState(call);
  if (state && state.applied.length > 0) return;
  if (!call.has("init")) {
    throw new Refusal(
      "There is no installation here, and nothing was created: set DATA_DIR or DATABASE_URL to an existing one, " +
        "or add --init to create a new one here.",
    );
  }
  using _lock = await takeDataFolder(config.dataDir);
  await loadSecretKey(config.dataDir, secrets.secretKey);
  await (await openDatabase(settingsOf({ config, secrets }))).destroy();
}

/** Opens the database and the rules of accounts without a server. Mails are only enqueued; a server delivers them. */
export async function openCommandDeps(call: Call): Promise<CommandDeps> {
  const { config, secrets } = call.configuration();
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await openCurrent(call), (db) => db.destroy());
  const secretKey = await findSecretKey(config.dataDir, secrets.secretKey);
  if (!secretKey) {
    throw new Refusal("There is no secret here: set SECRET_KEY, or DATA_DIR to the data folder of a server.");
  }
  const log = pino({ level: "warn" }, pino.destination(2));
  const clock = { now: () => Date.now() };
  const bus = opened.use(await openBus(secrets, secretKey, log));
  const isShared = secrets.databaseUrl !== undefined;
  const installation = opened.use(await InstallationSettings.open({ config, database, bus, log, isShared }));
  const compose = openAccountLetters(config, { secretKey, installation });
  const outbox = opened.use(new Outbox({ database, clock, log, compose }));
  const limits = openLimits({ config, secretKey, database, clock });
  const outbound = new Outbound(secrets.proxies);
  const cipher = new SecretCipher(secretKey, secrets.secretKeyPrevious);
  const shared = { config, database, installation, clock, outbox, bus, limits, outbound, cipher, log };
  const accounts = openAccounts({ ...shared, secretKey, secrets });
  opened.use(accounts.deletions);
  accounts.sessions.onEnded((sessionId) => bus.publish(topics.session(sessionId)));
  const resources = opened.move();
  return { ...shared, ...accounts, secretKey, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
