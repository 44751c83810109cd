import { ConfigError } from "../../config/config.ts";
import { type SecretCipher, unreadableSentence } from "../../config/secret-cipher.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import type { IdentityProviderRow } from "../../database/tables/sso-tables.ts";
import type { Log } from "../../log.ts";
import { listIdentityProviders, updateIdentityProvider } from "./identity-provider-store.ts";

type SecretRow = Pick<IdentityProviderRow, "id" | "secret_encrypted">;

/** Purpose and row of a client secret, for {@link SecretCipher}. */
const contextOf = (id: string) => `identity-provider:${id}`;

export function encryptProviderSecret(cipher: SecretCipher, id: string, secret: string | null): string | null {
  return secret === null ? null : cipher.encrypt(secret, contextOf(id));
}

/** `isOutdated`: encrypted under the previous key of the installation. */
type DecryptedSecret = { secret: string | null; isOutdated: boolean };

/** Returns the client secret of a row; undefined if the installation's key does not open it. */
export function decryptProviderSecret(
  cipher: SecretCipher,
  { id, secret_encrypted: encrypted }: SecretRow,
): DecryptedSecret | undefined {
  if (encrypted === null) return { secret: null, isOutdated: false };
  const opened = cipher.decrypt(encrypted, contextOf(id));
  return opened && { secret: opened.text, isOutdated: opened.isOutdated };
}

/** Lists the providers whose secret the installation's key does not open. */
export async function listUnreadableProviders(db: Queryable, cipher: SecretCipher): Promise<IdentityProviderRow[]> {
  return (await listIdentityProviders(db)).filter((row) => decryptProviderSecret(cipher, row) === undefined);
}

type ProviderSecretsDeps = { database: Database; cipher: SecretCipher; log: Log };

/**
 * Checks at the start that the installation's key opens all client secrets, and encrypts those of the previous key again.
 * @param acceptsNewSecret providers whose secret does not open fail until it is entered again
 * @throws ConfigError
 */
export async function openProviderSecrets(
  { database, cipher, log }: ProviderSecretsDeps,
  { acceptsNewSecret = false }: { acceptsNewSecret?: boolean },
): Promise<void> {
  const closed = await listUnreadableProviders(database, cipher);
  if (closed.length > 0 && !acceptsNewSecret) {
    const names = closed.map(({ name }) => name);
    throw new ConfigError([unreadableSentence(names, "start with --accept-new-secret")]);
  }
  for (const { slug } of closed) log.warn({ provider: slug }, "the secret key does not open a client secret");
  for (const row of await listIdentityProviders(database)) {
    const opened = decryptProviderSecret(cipher, row);
    if (!opened?.isOutdated) continue;
    await updateIdentityProvider(database, row.id, {
      secret_encrypted: encryptProviderSecret(cipher, row.id, opened.secret),
    });
  }
}
