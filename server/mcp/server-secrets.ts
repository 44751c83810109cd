import { ConfigError } from "../config/config.ts";
import { type SecretCipher, unreadableSentence } from "../config/secret-cipher.ts";
import type { Database, Queryable } from "../database/schema.ts";
import type { McpServerRow } from "../database/tables/mcp-tables.ts";
import type { Log } from "../log.ts";
import { decryptHeaders, decryptMcpSecret, encryptMcpSecret } from "./mcp-secrets.ts";
import { listServersWithHeaders, updateServer } from "./mcp-server-store.ts";

/** Lists the servers of owners whose headers the installation's key does not open. */
export async function listUnreadableServers(db: Queryable, cipher: SecretCipher): Promise<McpServerRow[]> {
  const rows = await listServersWithHeaders(db);
  return rows.filter((row) => row.user_id === null && decryptHeaders(cipher, row) === undefined);
}

type ServerSecretsDeps = { database: Database; cipher: SecretCipher; log: Log };

/**
 * Checks at the start that the installation's key opens the headers of all servers of owners, and encrypts those of the
 * previous key again, also of people's own servers.
 * @param acceptsNewSecret servers whose headers do not open are left out until they are entered again
 * @throws ConfigError
 */
export async function openServerSecrets(
  { database, cipher, log }: ServerSecretsDeps,
  { acceptsNewSecret = false }: { acceptsNewSecret?: boolean },
): Promise<void> {
  const closed = await listUnreadableServers(database, cipher);
  if (closed.length > 0 && !acceptsNewSecret) {
    const names = closed.map(({ name }) => name);
    throw new ConfigError([unreadableSentence(names, "start with --accept-new-secret")]);
  }
  for (const { slug } of closed)
    log.warn({ server: slug }, "the secret key does not open the headers of an MCP server");
  for (const { id, headers_encrypted: encrypted } of await listServersWithHeaders(database)) {
    const opened = encrypted === null ? undefined : decryptMcpSecret(cipher, "headers", id, encrypted);
    if (!opened?.isOutdated) continue;
    await updateServer(database, id, { headers_encrypted: encryptMcpSecret(cipher, "headers", id, opened.text) });
  }
}
