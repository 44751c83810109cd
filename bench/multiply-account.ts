import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { signAccessToken } from "../server/accounts/sessions/access-tokens.ts";
import { deriveKey } from "../server/secret-key.ts";
import type { MeasuredParley } from "./parley.ts";

/**
 * Makes more accounts out of the only one, with a session each, past the server: hashing so many passwords would leave
 * it with memory that hides what is measured.
 * @returns an access token of each
 */
export async function multiplyAccount({ dataDir }: MeasuredParley, count: number): Promise<string[]> {
  const key = deriveKey((await readFile(join(dataDir, "secret-key"), "utf8")).trim(), "access-token");
  using database = new DatabaseSync(join(dataDir, "parley.db"));
  const copy = (table: string, changes: Record<string, SQLInputValue>) => {
    const row = { ...database.prepare(`select * from ${table} limit 1`).get(), ...changes };
    const marks = Object.keys(row).map(() => "?");
    const insert = database.prepare(`insert into ${table} (${Object.keys(row)}) values (${marks})`);
    insert.run(...Object.values(row));
  };
  const issuedAt = Date.now();
  return Promise.all(
    Array.from({ length: count }, (_, index) => {
      const [userId, sessionId, name] = [randomUUID(), randomUUID(), `ada${index}`];
      const address = `${name}@example.org`;
      copy("users", { id: userId, username: name, username_key: name, email: address, email_key: address });
      copy("sessions", { id: sessionId, user_id: userId });
      return signAccessToken(key, { userId, sessionId, issuedAt, expiresAt: issuedAt + 24 * 60 * 60 * 1000 });
    }),
  );
}
