import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import pg from "pg";
import { signAccessToken } from "../../server/accounts/sessions/access-tokens.ts";
import { deriveKey } from "../../server/secret-key.ts";
import type { MeasuredParley } from "./parley.ts";

/** The name of an account that was made out of another one; all have its password. */
export const nameOfCopy = (index: number): string => `ada${index}`;

type Row = Record<string, SQLInputValue>;
/** Inserts a copy of the only row of a table, with some columns changed. */
type Copy = (table: string, changes: Row) => Promise<unknown>;

/**
 * Makes more accounts out of the only one, with a session each, past the server: hashing so many passwords would leave
 * it with memory that hides what is measured.
 * @returns an access token of each
 */
export async function multiplyAccount(
  { dataDir, postgresUrl }: MeasuredParley & { postgresUrl?: string | undefined },
  count: number,
): Promise<string[]> {
  const key = deriveKey((await readFile(join(dataDir, "secret-key"), "utf8")).trim(), "access-token");
  const issuedAt = Date.now();
  const tokens: Promise<string>[] = [];
  const copyAll = async (copy: Copy) => {
    for (let index = 0; index < count; index++) {
      const [userId, sessionId, name] = [randomUUID(), randomUUID(), nameOfCopy(index)];
      const address = `${name}@example.org`;
      await copy("users", { id: userId, username: name, username_key: name, email: address, email_key: address });
      await copy("sessions", { id: sessionId, user_id: userId });
      tokens.push(signAccessToken(key, { userId, sessionId, issuedAt, expiresAt: issuedAt + 24 * 60 * 60 * 1000 }));
    }
  };
  if (postgresUrl === undefined) await onSqlite(join(dataDir, "parley.db"), copyAll);
  else await onPostgres(postgresUrl, copyAll);
  return Promise.all(tokens);
}

async function onSqlite(file: string, work: (copy: Copy) => Promise<void>): Promise<void> {
  using database = new DatabaseSync(file, { timeout: 10_000 });
  const originals = new Map<string, Row>();
  database.exec("begin immediate");
  await work(async (table, changes) => {
    const original = originals.get(table) ?? { ...database.prepare(`select * from ${table} limit 1`).get() };
    originals.set(table, original);
    const row = { ...original, ...changes };
    const marks = Object.keys(row).map(() => "?");
    database.prepare(`insert into ${table} (${Object.keys(row)}) values (${marks})`).run(...Object.values(row));
  });
  database.exec("commit");
}

async function onPostgres(url: string, work: (copy: Copy) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const originals = new Map<string, Row>();
  await client.query("begin");
  await work(async (table, changes) => {
    const original = originals.get(table) ?? (await client.query<Row>(`select * from ${table} limit 1`)).rows[0];
    originals.set(table, { ...original });
    const row = { ...original, ...changes };
    const marks = Object.keys(row).map((_, index) => `$${index + 1}`);
    await client.query(`insert into ${table} (${Object.keys(row)}) values (${marks})`, Object.values(row));
  });
  await client.query("commit");
  await client.end();
}
