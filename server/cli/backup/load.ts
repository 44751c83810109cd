import { open } from "node:fs/promises";
import { findSchemaState, migrate, refuseNewer, schemaStateOf } from "../../database/migrate.ts";
import { openReader } from "../../database/open.ts";
import type { Database } from "../../database/schema.ts";
import { Refusal } from "../command.ts";
import { type BackedUpFile, type BackupReader, readBackupFile } from "./backup-file.ts";
import { countTables, differences } from "./compare.ts";
import { removeAllSessions } from "./copy-store.ts";
import type { TableCount } from "./digest.ts";
import { atOneMoment, continueNumbers, findShapes, insertRows, readRows } from "./row-store.ts";
import { findDamage, type Problem } from "./soundness-store.ts";
import { isBackedUpFile } from "./write-backup.ts";

/** Source of a restore: a file of the command `backup`, or a copy that an upgrade or a restore has made. */
export type RestoreSource = { file: string; kind: "backup" | "snapshot" };

export type Restored = { migrations: string[]; createdAt: string | null; counts: TableCount[]; files: BackedUpFile[] };

/** A copy that an upgrade or a restore has made is damaged. */
export class DamagedCopy extends Refusal {
  readonly problems: Problem[];

  constructor(file: string, problems: Problem[]) {
    super(
      `${file} is damaged: ${problems.map(({ check, rows }) => `${rows} ${check}`).join(", ")}. verify prints more.`,
    );
    this.problems = problems;
  }
}

type Load = { source: RestoreSource; database: Database; isSignedIn: boolean };

/**
 * Loads a source into an empty database with the schema of that time, and compares the tables. The next start migrates
 * it. Removes all sessions unless `isSignedIn`, because sessions that were ended since the backup would be valid again.
 * @throws Error if the tables differ from the source
 */
export async function loadInto({ source, database, isSignedIn }: Load): Promise<Restored> {
  const restored = await (source.kind === "backup"
    ? loadBackup(source.file, database)
    : loadSnapshot(source.file, database));
  await continueNumbers(database);
  const wrong = differences(restored.counts, await countTables(database));
  if (wrong.length > 0) throw new Error(`These tables differ from what was read: ${wrong.join(", ")}`);
  if (!isSignedIn) await removeAllSessions(database);
  return restored;
}

async function loadBackup(file: string, database: Database): Promise<Restored> {
  const files: BackedUpFile[] = [];
  const { header, counts } = await readBackupFile(file, async (found) => {
    await makeSchema(database, found.migrations);
    return loader(database, files);
  });
  return { migrations: header.migrations, createdAt: header.createdAt, counts: [...counts], files };
}

function loader(database: Database, files: BackedUpFile[]): BackupReader {
  return {
    onRows: (shape, rows) => database.transaction().execute((db) => insertRows(db, shape, rows)),
    onFile: (file) => {
      if (!isBackedUpFile(file.path)) throw new Refusal(`The backup contains a file that is not allowed: ${file.path}`);
      files.push(file);
    },
  };
}

async function loadSnapshot(file: string, database: Database): Promise<Restored> {
  const snapshot = await openReader(file);
  try {
    const problems = await findDamage(snapshot);
    if (problems.length > 0) throw new DamagedCopy(file, problems);
    const migrations = await migrationsOf(snapshot);
    await makeSchema(database, migrations);
    await atOneMoment(snapshot, async (from) => {
      for (const shape of await findShapes(from)) {
        for await (const rows of readRows(from, shape)) {
          await database.transaction().execute((db) => insertRows(db, shape, rows));
        }
      }
    });
    return { migrations, createdAt: null, counts: await countTables(snapshot), files: [] };
  } finally {
    await snapshot.destroy();
  }
}

/** Creates the tables as of the given migrations. */
async function makeSchema(database: Database, migrations: string[]): Promise<void> {
  const last = migrations.at(-1);
  if (last === undefined) throw new Refusal("It is empty: no server has ever run on it.");
  refuseNewer(schemaStateOf(migrations), "The source of the restore");
  await migrate(database, { upTo: last, isCopying: true });
}

async function migrationsOf(database: Database): Promise<string[]> {
  return (await findSchemaState(database)).applied;
}

/** Detects the kind of a source by its magic number. @throws Refusal if the file is unreadable, or of neither kind */
export async function recognise(file: string): Promise<RestoreSource> {
  const handle = await open(file, "r").catch((cause: unknown) => {
    throw new Refusal(`${file} cannot be read.`, "refused", { cause });
  });
  const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0).finally(() => handle.close());
  if (buffer.toString("latin1") === "SQLite format 3\0") return { file, kind: "snapshot" };
  if (buffer[0] === 0x1f && buffer[1] === 0x8b) return { file, kind: "backup" };
  throw new Refusal(`${file} is neither a backup nor a copy of a database.`);
}
