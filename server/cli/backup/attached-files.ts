import { createHash } from "node:crypto";
import { findOwnTables } from "../../database/own-tables.ts";
import type { Queryable } from "../../database/schema.ts";
import { listReady, type ReadyFile } from "../../files/attached-file-store.ts";
import { type FileStore, MissingObject } from "../../files/stores/file-store.ts";

const PAGE = 200;

/** Yields the files that have bytes, by key; none if the schema is older than attached files. */
export async function* readReadyFiles(db: Queryable): AsyncGenerator<ReadyFile> {
  if (!(await findOwnTables(db)).some(({ name }) => name === "files")) return;
  for (let after = ""; ; ) {
    const page = await listReady(db, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.key;
  }
}

/** Returns the SHA-256 of a stored file in hex; undefined if it is not there. */
export async function digestIn(store: FileStore, key: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    for await (const bytes of store.open(key)) hash.update(bytes);
  } catch (error) {
    if (error instanceof MissingObject) return undefined;
    throw error;
  }
  return hash.digest("hex");
}

/**
 * Copies a file into another store, and compares its digest. Does nothing if the same bytes are there already.
 * @returns whether there was a file to copy
 * @throws Error if the copy differs; what the stores throw
 */
export async function copyFile(key: string, from: FileStore, to: FileStore): Promise<boolean> {
  const digest = await digestIn(from, key);
  if (digest === undefined) return false;
  if ((await digestIn(to, key)) === digest) return true;
  await to.put(key, from.open(key));
  if ((await digestIn(to, key)) !== digest) throw new Error(`The attached file ${key} differs from its copy`);
  return true;
}
