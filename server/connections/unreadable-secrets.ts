import type { SecretCipher } from "../config/secret-cipher.ts";
import type { Queryable } from "../database/schema.ts";
import type { ConnectionRow } from "../database/tables/connection-tables.ts";
import { decryptSecrets } from "./connection-secrets.ts";
import { listConnections } from "./connection-store.ts";

/** Lists the connections whose credentials the installation's key does not open. */
export async function listUnreadable(db: Queryable, cipher: SecretCipher): Promise<ConnectionRow[]> {
  return (await listConnections(db)).filter((row) => decryptSecrets(cipher, row) === undefined);
}
