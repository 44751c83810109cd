import type { Database } from "../database/schema.ts";
import { findByKeys, listReady } from "./attached-file-store.ts";
import type { FileStore, StoredObject } from "./stores/file-store.ts";

/**
 * Result of a verification. `files`: ready files. `missing`: keys of those without bytes; `damaged`: of those whose
 * bytes have another length. `strays`: stored bytes without a file.
 */
export type FilesReport = { files: number; missing: string[]; damaged: string[]; strays: number };

const BATCH = 200;

/**
 * Compares the rows of files with the stored bytes, in both directions.
 * @param before Unix time in ms; younger bytes without a file are not counted, because an upload may be just finishing
 */
export async function verifyFiles(
  { database, files }: { database: Database; files: FileStore },
  before: number,
): Promise<FilesReport> {
  const report: FilesReport = { files: 0, missing: [], damaged: [], strays: 0 };
  // A store may be another server: asking it for each of a million files would take hours, their keys take 100 MB.
  const listed = new Set<string>();
  for await (const batch of batchesOf(files.list())) {
    const known = await findByKeys(
      database,
      batch.map(({ key }) => key),
    );
    for (const key of known.keys()) listed.add(key);
    report.strays += batch.filter(({ key, storedAt }) => !known.has(key) && storedAt < before).length;
    // Of a file that is not ready, the bytes may be those of an attempt that a kill has interrupted.
    const isDamaged = ({ key, size }: StoredObject) => known.get(key)?.type != null && known.get(key)?.size !== size;
    report.damaged.push(...batch.filter(isDamaged).map(({ key }) => key));
  }
  for (let after = ""; ; ) {
    const page = await listReady(database, after, BATCH);
    report.files += page.length;
    for (const { key } of page) {
      if (!listed.has(key) && (await files.sizeOf(key)) === undefined) report.missing.push(key);
    }
    const last = page.at(-1);
    if (!last) return report;
    after = last.key;
  }
}

async function* batchesOf(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject[]> {
  let batch: StoredObject[] = [];
  for await (const object of objects) {
    batch.push(object);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
