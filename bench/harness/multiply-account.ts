import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { signAccessToken } from "../../server/accounts/sessions/access-tokens.ts";
import { deriveKey } from "../../server/config/secret-key.ts";
import { type WithDatabase, writePastServer } from "./write-past-server.ts";

/** Name of a copied account. Copies have the password of the original. */
export const nameOfCopy = (index: number): string => `ada${index}`;

/**
 * Copies the only account, with one session each, by writing to the database: hashing so many passwords would leave the
 * server with memory that distorts the measurement.
 * @returns an access token of each
 */
export async function multiplyAccount(server: WithDatabase, count: number): Promise<string[]> {
  const key = deriveKey((await readFile(join(server.dataDir, "secret-key"), "utf8")).trim(), "access-token");
  const issuedAt = Date.now();
  const tokens: Promise<string>[] = [];
  await writePastServer(server, async (database) => {
    const [user, session] = [await database.first("users"), await database.first("sessions")];
    for (let index = 0; index < count; index++) {
      const [userId, sessionId, name] = [randomUUID(), randomUUID(), nameOfCopy(index)];
      const address = `${name}@example.org`;
      const names = { username: name, username_key: name, email: address, email_key: address };
      await database.insert("users", { ...user, ...names, id: userId });
      await database.insert("sessions", { ...session, id: sessionId, user_id: userId });
      tokens.push(signAccessToken(key, { userId, sessionId, issuedAt, expiresAt: issuedAt + 24 * 60 * 60 * 1000 }));
    }
  });
  return Promise.all(tokens);
}
