import type { SecretCipher } from "../../config/secret-cipher.ts";
import type { Database } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import { decryptMcpSecret, encryptMcpSecret } from "../mcp-secrets.ts";
import { storeState } from "../mcp-server-store.ts";
import {
  deleteClient,
  deleteTokens,
  listClientRows,
  listTokenRows,
  reencryptClient,
  reencryptTokens,
} from "./oauth-store.ts";
import { clientSecretId } from "./registered-clients.ts";
import { tokensSecretId } from "./stored-tokens.ts";

type SignInSecretsDeps = { database: Database; cipher: SecretCipher; log: Log };

/**
 * Encrypts the tokens of people and the registered clients of the installation's previous key again, at the start. Those
 * that do not open are deleted: a sign-in makes them anew.
 */
export async function openSignInSecrets({ database, cipher, log }: SignInSecretsDeps): Promise<void> {
  let deleted = 0;
  for (const row of await listTokenRows(database)) {
    const id = tokensSecretId(row);
    const opened = decryptMcpSecret(cipher, "tokens", id, row.tokens_encrypted);
    if (!opened) {
      await deleteTokens(database, row);
      await storeState(database, { server: row.server, userId: row.user_id }, { needs_sign_in: 1 });
      deleted++;
    } else if (opened.isOutdated) {
      await reencryptTokens(database, row, encryptMcpSecret(cipher, "tokens", id, opened.text));
    }
  }
  for (const row of await listClientRows(database)) {
    const id = clientSecretId(row);
    const opened = decryptMcpSecret(cipher, "client", id, row.client_encrypted);
    if (!opened) await deleteClient(database, row.id);
    else if (opened.isOutdated) {
      await reencryptClient(database, row.id, encryptMcpSecret(cipher, "client", id, opened.text));
    }
  }
  if (deleted > 0) log.warn({ deleted }, "the secret key does not open the tokens of people at tool servers");
}
