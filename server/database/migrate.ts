import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from "kysely/migration";
import { refuseOtherEncoding } from "./encoding.ts";
import { initial } from "./migrations/0001-initial.ts";
import { liveReplies } from "./migrations/0002-live-replies.ts";
import { trustedAccounts } from "./migrations/0003-trusted-accounts.ts";
import { organisedChats } from "./migrations/0004-organised-chats.ts";
import { search } from "./migrations/0005-search.ts";
import { presets } from "./migrations/0006-presets.ts";
import { usageAndImports } from "./migrations/0007-usage-and-imports.ts";
import { disabledAccounts } from "./migrations/0008-disabled-accounts.ts";
import { storageQuotas } from "./migrations/0009-quotas.ts";
import { instructionsChanges } from "./migrations/0010-instructions.ts";
import { accountPreferences } from "./migrations/0011-preferences.ts";
import { messageParts } from "./migrations/0012-message-parts.ts";
import { fileBytes } from "./migrations/0013-files.ts";
import { attachedFiles } from "./migrations/0014-attached-files.ts";
import { searchableFiles } from "./migrations/0015-searchable-files.ts";
import { audit } from "./migrations/0016-audit.ts";
import { roles } from "./migrations/0017-roles.ts";
import { accountLists } from "./migrations/0018-account-lists.ts";
import { invitations } from "./migrations/0019-invitations.ts";
import { callDays } from "./migrations/0020-call-days.ts";
import { budgets } from "./migrations/0021-budgets.ts";
import { settings } from "./migrations/0022-settings.ts";
import { groups } from "./migrations/0023-groups.ts";
import { ownershipOffers } from "./migrations/0024-ownership-offers.ts";
import { namedFiles } from "./migrations/0025-named-files.ts";
import { weighedParts } from "./migrations/0026-weighed-parts.ts";
import { openCalls } from "./migrations/0027-open-calls.ts";
import { callBudgets } from "./migrations/0028-call-budgets.ts";
import { classCodes } from "./migrations/0029-class-codes.ts";
import { untouchedChats } from "./migrations/0030-untouched-chats.ts";
import { accountMonths } from "./migrations/0031-account-months.ts";
import { importSources } from "./migrations/0032-import-sources.ts";
import { connections } from "./migrations/0033-connections.ts";
import { tools } from "./migrations/0034-tools.ts";
import { importedOrigins } from "./migrations/0035-imported-origins.ts";
import { secondFactors } from "./migrations/0036-second-factors.ts";
import { passkeys } from "./migrations/0037-passkeys.ts";
import { lastSignIns } from "./migrations/0038-last-sign-ins.ts";
import { requiredSecondFactors } from "./migrations/0039-required-second-factors.ts";
import { singleSignOn } from "./migrations/0040-single-sign-on.ts";
import { mcpServers } from "./migrations/0041-mcp-servers.ts";
import { shares } from "./migrations/0042-shares.ts";
import { groupsOfShares } from "./migrations/0043-groups-of-shares.ts";
import { findOwnSchema, findOwnTables } from "./own-tables.ts";
import type { Database, Queryable } from "./schema.ts";

/** In the order of their creation. Names never change once released. */
const migrations: Record<string, Migration> = {
  "0001-initial": initial,
  "0002-live-replies": liveReplies,
  "0003-trusted-accounts": trustedAccounts,
  "0004-organised-chats": organisedChats,
  "0005-search": search,
  "0006-presets": presets,
  "0007-usage-and-imports": usageAndImports,
  "0008-disabled-accounts": disabledAccounts,
  "0009-quotas": storageQuotas,
  "0010-instructions": instructionsChanges,
  "0011-preferences": accountPreferences,
  "0012-message-parts": messageParts,
  "0013-files": fileBytes,
  "0014-attached-files": attachedFiles,
  "0015-searchable-files": searchableFiles,
  "0016-audit": audit,
  "0017-roles": roles,
  "0018-account-lists": accountLists,
  "0019-invitations": invitations,
  "0020-call-days": callDays,
  "0021-budgets": budgets,
  "0022-settings": settings,
  "0023-groups": groups,
  "0024-ownership-offers": ownershipOffers,
  "0025-named-files": namedFiles,
  "0026-weighed-parts": weighedParts,
  "0027-open-calls": openCalls,
  "0028-call-budgets": callBudgets,
  "0029-class-codes": classCodes,
  "0030-untouched-chats": untouchedChats,
  "0031-account-months": accountMonths,
  "0032-import-sources": importSources,
  "0033-connections": connections,
  "0034-tools": tools,
  "0035-imported-origins": importedOrigins,
  "0036-second-factors": secondFactors,
  "0037-passkeys": passkeys,
  "0038-last-sign-ins": lastSignIns,
  "0039-required-second-factors": requiredSecondFactors,
  "0040-single-sign-on": singleSignOn,
  "0041-mcp-servers": mcpServers,
  "0042-shares": shares,
  "0043-groups-of-shares": groupsOfShares,
};

/** Every database of this program has this migration. */
export const FIRST_MIGRATION = "0001-initial";

/** This table exists only in a database that is the target of a copy in progress (`cli/backup/`). */
export const COPY_TABLE = "copy_progress";

/**
 * Names of migrations in order. `unknown`: applied by a newer version. `isHalfCopied`: a copy into it is not finished.
 */
export type SchemaState = { applied: string[]; pending: string[]; unknown: string[]; isHalfCopied: boolean };

/**
 * Returns which migrations are applied.
 * @throws with a sentence for the console if the database is in another schema than new tables would be
 */
export async function findSchemaState(database: Queryable): Promise<SchemaState> {
  const tables = await findOwnTables(database);
  const isFresh = !tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE);
  if (isFresh) await refuseOtherSchema(database);
  const { rows } = isFresh
    ? { rows: [] }
    : await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(
        database,
      );
  const isHalfCopied = tables.some(({ name }) => name === COPY_TABLE);
  return { ...schemaStateOf(rows.map(({ name }) => name)), isHalfCopied };
}

/** An empty database may have another schema first in its search path, before the one with the data. */
async function refuseOtherSchema(database: Queryable): Promise<void> {
  const schema = await findOwnSchema(database);
  if (schema === undefined) return;
  const { rows } = await sql<{ found: string | null }>`select relnamespace::regnamespace::text as found from pg_class
    where oid = to_regclass(${DEFAULT_MIGRATION_TABLE})`.execute(database);
  const found = rows[0]?.found;
  if (!found) return;
  const { rows: ours } = await sql`select 1 from ${sql.table(DEFAULT_MIGRATION_TABLE)}
    where name = ${FIRST_MIGRATION}`.execute(database);
  if (ours.length === 0) return;
  throw new Error(
    `The database is in the schema ${found}, but tables would be created in ${schema}: put ${found} first in the ` +
      "search_path of its user.",
  );
}

/** Returns the schema state of a database with these applied migrations. */
export function schemaStateOf(applied: string[]): SchemaState {
  return {
    applied,
    pending: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !Object.hasOwn(migrations, name)),
    isHalfCopied: false,
  };
}

/** @throws with a sentence for the console if the database is newer than this program, or half copied */
export function refuseUnusable(state: SchemaState, what = "The database"): void {
  refuseNewer(state, what);
  if (!state.isHalfCopied) return;
  throw new Error(`${what} is the target of an unfinished restore or move: run that command again until it completes.`);
}

/** @throws with a sentence for the console if the database is newer than this program */
export function refuseNewer({ unknown }: Pick<SchemaState, "unknown">, what = "The database"): void {
  if (unknown.length === 0) return;
  throw new Error(
    `${what} was written by a newer version of this program, which has run the migration “${unknown.at(-1)}”. ` +
      "Start that version, or use it to restore a backup that is older than the migration.",
  );
}

export type MigrateOptions = {
  /** Is called with the first pending migration before a database that is in use is changed. */
  beforeChange?: (name: string) => Promise<void>;
  /** The last migration to apply; all by default. */
  upTo?: string;
  /** Set by the copy that writes into a half-copied database. */
  isCopying?: boolean;
};

/**
 * Applies all pending migrations in one transaction; several processes may call it concurrently.
 * @throws when a migration fails, the database is newer than this program, or it is new and its encoding cannot store
 * all texts
 */
export async function migrate(database: Database, options: MigrateOptions = {}): Promise<void> {
  const { beforeChange, upTo, isCopying } = options;
  const state = await findSchemaState(database);
  refuseUnusable({ ...state, isHalfCopied: state.isHalfCopied && isCopying !== true });
  const [first] = state.pending;
  if (first === undefined) return;
  if (state.applied.length > 0) await beforeChange?.(first);
  else await refuseOtherEncoding(database);
  const schema = await findOwnSchema(database);
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
    ...(schema !== undefined && { migrationTableSchema: schema }),
  });
  const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
  if (!error) return;
  refuseNewer(await findSchemaState(database));
  const reason = error instanceof Error ? error.message : error;
  throw new Error(`The database could not be brought up to date: ${reason}`, { cause: error });
}
