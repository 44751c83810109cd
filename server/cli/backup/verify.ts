import { CommittingDatabase } from "../../database/after-commit.ts";
import { migrate } from "../../database/migrate.ts";
import type { Database } from "../../database/schema.ts";
import { openSqliteDialect } from "../../database/sqlite/sqlite.ts";
import { findByKeys } from "../../files/attached-file-store.ts";
import { openStores, storesSettingsOf } from "../../files/stores/open-stores.ts";
import { verifyFiles } from "../../files/verify-files.ts";
import type { Call, Outcome } from "../command.ts";
import { openCurrentForReading } from "../open-installation.ts";
import { DamagedBackup } from "./backup-file.ts";
import { countTables } from "./compare.ts";
import { sumRows, type TableCount } from "./digest.ts";
import { DamagedCopy, loadInto, recognise } from "./load.ts";
import { EXAMPLES, findDamage, findProblems, type Problem, toProblem } from "./soundness-store.ts";

/** SQLite's name for a temporary on-disk database, which is deleted when it is closed. */
const PASSING = "";

export async function verify(call: Call): Promise<Outcome> {
  const file = call.operands[0];
  const { counts, problems } = file === undefined ? await verifyDatabase(call) : await verifyFile(file);
  const rows = sumRows(counts);
  const what = file ?? "The database";
  return {
    data: { rows, tables: counts, problems },
    lines: [
      ...problems.map((problem) => `${problem.rows} ${problem.check}, such as ${problem.examples.join(", ")}`),
      `${what} is ${problems.length === 0 ? "sound" : "not sound"}${counts.length > 0 ? `: ${rows} rows in ${counts.length} tables` : ""}.`,
    ],
    ...(problems.length > 0 && { word: "unsound" }),
  };
}

type Verified = { counts: readonly TableCount[]; problems: Problem[] };

async function verifyDatabase(call: Call): Promise<Verified> {
  const problems: Problem[] = [];
  try {
    await using opened = new AsyncDisposableStack();
    const database = opened.adopt(await openCurrentForReading(call), (db) => db.destroy());
    problems.push(...(await findDamage(database)));
    problems.push(...(await findProblems(database)));
    problems.push(...(await findFileProblems(call, database)));
    return { counts: await countTables(database), problems };
  } catch (error) {
    const problem = toProblem(error);
    // Problems that were found before the error are more specific.
    return { counts: [], problems: problems.length > 0 ? problems : [problem] };
  }
}

async function findFileProblems(call: Call, database: Database): Promise<Problem[]> {
  await using stores = await openStores({ database, ...storesSettingsOf(call.configuration()) });
  const { files } = stores;
  const { missing, damaged } = await verifyFiles({ database, files }, Date.now());
  // A server may have deleted some meanwhile.
  const still = await findByKeys(database, missing);
  return [
    ...problemOf(
      WITHOUT_BYTES,
      missing.filter((key) => still.has(key)),
    ),
    ...problemOf("attached files with bytes of another length", damaged),
  ];
}

const WITHOUT_BYTES = "attached files without bytes";

function problemOf(check: string, keys: readonly string[]): Problem[] {
  return keys.length === 0 ? [] : [{ check, rows: keys.length, examples: keys.slice(0, EXAMPLES) }];
}

/** Restores a file into a temporary database, migrates it, and checks it. */
async function verifyFile(file: string): Promise<Verified> {
  const database = new CommittingDatabase(openSqliteDialect(PASSING));
  try {
    const { counts, missing } = await loadInto({ source: await recognise(file), database, hasCredentials: true });
    await migrate(database);
    return { counts, problems: [...(await findProblems(database)), ...problemOf(WITHOUT_BYTES, missing)] };
  } catch (error) {
    if (error instanceof DamagedCopy) return { counts: [], problems: error.problems };
    if (error instanceof DamagedBackup) {
      return { counts: [], problems: [{ check: "damage to the file", rows: 1, examples: [error.how] }] };
    }
    throw error;
  } finally {
    await database.destroy();
  }
}
