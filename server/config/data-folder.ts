import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { newId } from "../database/new-id.ts";

const SQLITE_BUSY = 5;

/** Another process has locked the data folder. */
export class DataFolderTaken extends Error {}

/**
 * Creates the data folder (mode 700) and locks it for this process. The lock is a SQLite transaction, so that it ends
 * with the process in every case.
 * @throws DataFolderTaken with a sentence for the console if another server has the folder
 */
export async function takeDataFolder(dataDir: string): Promise<Disposable> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(dataDir, "lock"), { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY)) throw error;
    throw new DataFolderTaken(
      `Another server is running on ${resolve(dataDir)}. Stop it first, or set another DATA_DIR.`,
      { cause: error },
    );
  }
  return { [Symbol.dispose]: () => lock.close() };
}

/**
 * Returns the id of the server on this data folder, which is stable over restarts: a server recovers the replies that
 * it left unfinished. The folder must be locked.
 */
export async function loadProcessId(dataDir: string): Promise<string> {
  const file = join(dataDir, "process-id");
  const known = (await readFile(file, "utf8").catch(() => "")).trim();
  if (known !== "") return known;
  const id = newId();
  await writeFile(file, id, { mode: 0o600 });
  return id;
}
