import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { signAccessToken } from "../../server/accounts/sessions/access-tokens.ts";
import { deriveKey } from "../../server/secret-key.ts";
import type { MeasuredParley } from "./parley.ts";

/** The name of an account that was made out of another one; all have its password. */
export const nameOfCopy = (index: number): string => `ada${index}`;

/**
 * Makes more accounts out of the only one, with a session each, past the server: hashing so many passwords would leave
 * it with memory that hides what is measured.
 * @returns an access token of each
 */
export async function multiplyAccount({ dataDir }: MeasuredParley, count: number): Promise<string[]> {
  const key = deriveKey((await readFile(join(dataDir, "secret-key"), "utf8")).trim(), "access-token");
  using database = new DatabaseSync(join(dataDir, "parley.db"), { timeout: 10_000 });
  const originals = new Map<string, Record<string, SQLInputValue>>();
  const copy = (table: string, changes: Record<string, SQLInputValue>) => {
    const original = originals.get(table) ?? { ...database.prepare(`select * from ${table} limit 1`).get() };
    originals.set(table, original);
    const row = { ...original, ...changes };
    const marks = Object.keys(row).map(() => "?");
    database.prepare(`insert into ${table} (${Object.keys(row)}) values (${marks})`).run(...Object.values(row));
  };
  const issuedAt = Date.now();
  const tokens: Promise<string>[] = [];
  database.exec("begin immediate");
  for (let index = 0; index < count; index++) {
    const [userId, sessionId, name] = [randomUUID(), randomUUID(), nameOfCopy(index)];
    const address = `${name}@example.org`;
    copy("users", { id: userId, username: name, username_key: name, email: address, email_key: address });
    copy("sessions", { id: sessionId, user_id: userId });
    tokens.push(signAccessToken(key, { userId, sessionId, issuedAt, expiresAt: issuedAt + 24 * 60 * 60 * 1000 }));
  }
  database.exec("commit");
  return Promise.all(tokens);
}
