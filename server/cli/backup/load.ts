import { open } from "node:fs/promises";
import { findSchemaState, migrate, refuseNewer, schemaStateOf } from "../../database/migrate.ts";
import { openReader } from "../../database/open.ts";
import type { Database } from "../../database/schema.ts";
import type { FileStore } from "../../files/stores/file-store.ts";
import { Refusal } from "../command.ts";
import { readReadyFiles } from "./attached-files.ts";
import { AttachedIntake } from "./attached-intake.ts";
import { type BackedUpFile, type BackupReader, readBackupFile } from "./backup-file.ts";
import { countTables, differences } from "./compare.ts";
import { endCredentials, removeFiles } from "./copy-store.ts";
import type { TableCount } from "./digest.ts";
import { atOneMoment, continueNumbers, findShapes, insertRows, readRows } from "./row-store.ts";
import { findDamage, type Problem } from "./soundness-store.ts";
import { isBackedUpFile } from "./write-backup.ts";

/** Source of a restore: a file of the command `backup`, or a copy that an upgrade or a restore has made. */
export type RestoreSource = { file: string; kind: "backup" | "snapshot" };

/**
 * `attached`: number of attached files with bytes. `missing`: keys of those whose bytes the source does not have.
 */
export type Restored = {
  migrations: string[];
  createdAt: string | null;
  counts: TableCount[];
  files: BackedUpFile[];
  attached: number;
  missing: string[];
};

/** Where a restore puts attached files. */
export type AttachedTarget = {
  store: FileStore;
  /** Copies a file that belongs to a copy of a database. @returns whether a source has it */
  copy(key: string): Promise<boolean>;
};

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

type Load = {
  source: RestoreSource;
  database: Database;
  hasCredentials: boolean;
  /** Missing if the source is only checked. */
  target?: AttachedTarget;
};

type Loaded = Omit<Restored, "attached" | "missing"> & {
  /** Returns whether the bytes of a file are there; missing if the source does not contain bytes. */
  hasBytes: ((key: string) => boolean | Promise<boolean>) | undefined;
};

/**
 * Loads a source into an empty database with the schema of that time, and compares the tables. The next start migrates
 * it. Ends sessions, mailed links, offers and invitations unless `hasCredentials`, because those that were ended since
 * the backup would be valid again.
 * With a target, removes attached files whose bytes are missing: they were deleted after the moment of the rows.
 * @throws Error if the tables or attached files differ from the source
 */
export async function loadInto({ source, database, hasCredentials, target }: Load): Promise<Restored> {
  const { hasBytes, ...restored } = await (source.kind === "backup"
    ? loadBackup(source.file, database, target)
    : loadSnapshot(source.file, database, target));
  await continueNumbers(database);
  const wrong = differences(restored.counts, await countTables(database));
  if (wrong.length > 0) throw new Error(`These tables differ from what was read: ${wrong.join(", ")}`);
  const attached = hasBytes ? await findAttached(database, hasBytes) : { attached: 0, missing: [] };
  if (target) await removeFiles(database, attached.missing);
  if (!hasCredentials) await endCredentials(database, Date.now());
  return { ...restored, ...attached };
}

async function findAttached(database: Database, hasBytes: NonNullable<Loaded["hasBytes"]>) {
  const found = { attached: 0, missing: [] as string[] };
  for await (const { key } of readReadyFiles(database)) {
    if (await hasBytes(key)) found.attached++;
    else found.missing.push(key);
  }
  return found;
}

async function loadBackup(file: string, database: Database, target: AttachedTarget | undefined): Promise<Loaded> {
  const files: BackedUpFile[] = [];
  const intake = new AttachedIntake(target?.store);
  try {
    const { header, counts } = await readBackupFile(file, async (found) => {
      await makeSchema(database, found.migrations);
      return loader(database, files, intake);
    });
    const { migrations, createdAt } = header;
    return { migrations, createdAt, counts: [...counts], files, hasBytes: (key) => intake.keys.has(key) };
  } finally {
    await intake.abort();
  }
}

function loader(database: Database, files: BackedUpFile[], intake: AttachedIntake): BackupReader {
  return {
    onRows: (shape, rows) => database.transaction().execute((db) => insertRows(db, shape, rows)),
    onFile: (file) => {
      if (!isBackedUpFile(file.path)) throw new Refusal(`The backup contains a file that is not allowed: ${file.path}`);
      files.push(file);
    },
    onPiece: (piece) => intake.add(piece),
    onAttached: (file) => intake.end(file),
  };
}

async function loadSnapshot(file: string, database: Database, target: AttachedTarget | undefined): Promise<Loaded> {
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
    const hasBytes = target && ((key: string) => target.copy(key));
    return { migrations, createdAt: null, counts: await countTables(snapshot), files: [], hasBytes };
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
