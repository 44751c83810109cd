import type { SecretCipher } from "../config/secret-cipher.ts";
import type { Queryable } from "../database/schema.ts";
import type { ConnectionRow } from "../database/tables/connection-tables.ts";
import { decryptSecrets } from "./connection-secrets.ts";
import { listConnections } from "./connection-store.ts";

/** Lists the connections whose credentials the installation's key does not open. */
export async function listUnreadable(db: Queryable, cipher: SecretCipher): Promise<ConnectionRow[]> {
  return (await listConnections(db)).filter((row) => decryptSecrets(cipher, row) === undefined);
}

/** Returns the sentence for {@link listUnreadable}. @param goOn how to go on all the same, as the end of a sentence */
export function unreadableSentence(rows: readonly Pick<ConnectionRow, "name">[], goOn: string): string {
  return (
    `SECRET_KEY does not open the stored keys of ${rows.map(({ name }) => name).join(", ")}. Set it (or the file ` +
    "secret-key in DATA_DIR) to the key with which they were stored, or add that one as SECRET_KEY_PREVIOUS; or " +
    `${goOn}, which leaves these connections out until their keys are entered again.`
  );
}
