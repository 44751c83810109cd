import { ConfigError } from "../../config/config.ts";
import { type SecretCipher, unreadableSentence } from "../../config/secret-cipher.ts";
import type { Database, Queryable } from "../../database/schema.ts";
import type { TotpFactorRow } from "../../database/tables/second-factor-tables.ts";
import type { Log } from "../../log.ts";
import { fromBase32, toBase32 } from "./base32.ts";
import { listTotpFactors, replaceSecret } from "./second-factor-store.ts";

const context = (userId: string) => `totp-secret:${userId}`;

export function encryptTotpSecret(cipher: SecretCipher, userId: string, secret: Uint8Array): string {
  return cipher.encrypt(toBase32(secret), context(userId));
}

/** Returns the secret; undefined if the installation's key does not open it. */
export function decryptTotpSecret(cipher: SecretCipher, factor: TotpFactorRow): Uint8Array | undefined {
  const opened = cipher.decrypt(factor.secret_encrypted, context(factor.user_id));
  return opened && fromBase32(opened.text);
}

/** Counts the accounts whose secret the installation's key does not open. */
export async function countUnreadableFactors(db: Queryable, cipher: SecretCipher): Promise<number> {
  return (await listTotpFactors(db)).filter((factor) => decryptTotpSecret(cipher, factor) === undefined).length;
}

/** How sentences for operators name secrets that do not open. */
export const factorsName = (accounts: number) =>
  `${accounts === 1 ? "the second factor of one account" : `the second factors of ${accounts} accounts`} (recovery codes still work)`;

type TotpSecretsDeps = { database: Database; cipher: SecretCipher; log: Log };

/**
 * Checks at the start that the installation's key opens all secrets, and encrypts those of the previous key again.
 * @param acceptsNewSecret accounts whose secret does not open sign in by recovery codes
 * @throws ConfigError
 */
export async function openTotpSecrets(
  { database, cipher, log }: TotpSecretsDeps,
  { acceptsNewSecret = false }: { acceptsNewSecret?: boolean },
): Promise<void> {
  const factors = (await listTotpFactors(database)).map((factor) => ({
    factor,
    opened: cipher.decrypt(factor.secret_encrypted, context(factor.user_id)),
  }));
  const accounts = factors.filter(({ opened }) => opened === undefined).length;
  if (accounts > 0 && !acceptsNewSecret) {
    throw new ConfigError([unreadableSentence([factorsName(accounts)], "start with --accept-new-secret")]);
  }
  if (accounts > 0) log.warn({ accounts }, "the secret key does not open second factors: recovery codes are needed");
  for (const { factor, opened } of factors) {
    if (opened?.isOutdated) await replaceSecret(database, factor, cipher.encrypt(opened.text, context(factor.user_id)));
  }
}
