import { CommittingDatabase } from "../../database/after-commit.ts";
import { migrate } from "../../database/migrate.ts";
import { openSqliteDialect } from "../../database/sqlite/sqlite.ts";
import type { Call, Outcome } from "../command.ts";
import { openCurrentForReading } from "../open-installation.ts";
import { DamagedBackup } from "./backup-file.ts";
import { countTables } from "./compare.ts";
import { sumRows, type TableCount } from "./digest.ts";
import { DamagedCopy, loadInto, recognise } from "./load.ts";
import { findDamage, findProblems, type Problem, toProblem } from "./soundness-store.ts";

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
    return { counts: await countTables(database), problems };
  } catch (error) {
    const problem = toProblem(error);
    // Problems that were found before the error are more specific.
    return { counts: [], problems: problems.length > 0 ? problems : [problem] };
  }
}

/** Restores a file into a temporary database, migrates it, and checks it. */
async function verifyFile(file: string): Promise<Verified> {
  const database = new CommittingDatabase(openSqliteDialect(PASSING));
  try {
    const { counts } = await loadInto({ source: await recognise(file), database, isSignedIn: true });
    await migrate(database);
    return { counts, problems: await findProblems(database) };
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
