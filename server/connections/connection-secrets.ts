import * as z from "zod/mini";
import type { ConnectionHeader } from "#contract/administration/connections.ts";
import type { SecretCipher } from "../config/secret-cipher.ts";
import type { ConnectionRow } from "../database/tables/connection-tables.ts";

type SecretColumns = Pick<ConnectionRow, "id" | "key_encrypted" | "headers_encrypted">;

/** Credentials of a connection in plain text; they must never be logged or answered. */
export type ConnectionSecrets = { apiKey: string | null; headers: readonly ConnectionHeader[] };

const headersSchema = z.array(z.object({ name: z.string(), value: z.string() }));

const keyContext = (id: string) => `connection-key:${id}`;
const headersContext = (id: string) => `connection-headers:${id}`;

export function encryptKey(cipher: SecretCipher, id: string, apiKey: string | null): string | null {
  return apiKey === null ? null : cipher.encrypt(apiKey, keyContext(id));
}

export function encryptHeaders(cipher: SecretCipher, id: string, headers: readonly ConnectionHeader[]): string | null {
  return headers.length === 0 ? null : cipher.encrypt(JSON.stringify(headers), headersContext(id));
}

/** `isOutdated`: encrypted under the previous key of the installation. */
type Decrypted = ConnectionSecrets & { isOutdated: boolean };

/** Returns the credentials of a row; undefined if the installation's key does not open them. */
export function decryptSecrets(cipher: SecretCipher, row: SecretColumns): Decrypted | undefined {
  const { id, key_encrypted: key, headers_encrypted: headers } = row;
  const openedKey = key === null ? null : cipher.decrypt(key, keyContext(id));
  const openedHeaders = headers === null ? null : cipher.decrypt(headers, headersContext(id));
  if (openedKey === undefined || openedHeaders === undefined) return undefined;
  return {
    apiKey: openedKey?.text ?? null,
    headers: openedHeaders === null ? [] : headersSchema.parse(JSON.parse(openedHeaders.text)),
    isOutdated: openedKey?.isOutdated === true || openedHeaders?.isOutdated === true,
  };
}
