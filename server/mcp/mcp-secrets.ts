import type { Decrypted, SecretCipher } from "../config/secret-cipher.ts";
import { isRecord } from "../text/wire-json.ts";

/** Kinds of secrets: the headers of a server, the tokens of a person at an issuer, a client, a sign-in that has begun. */
export type McpSecretKind = "headers" | "tokens" | "client" | "attempt";

/** A secret that the database names for another row, issuer or purpose does not open. */
const contextOf = (kind: McpSecretKind, id: string) => `mcp-${kind}:${id}`;

/** @param id of the row; of tokens and clients with their issuer */
export const encryptMcpSecret = (cipher: SecretCipher, kind: McpSecretKind, id: string, text: string): string =>
  cipher.encrypt(text, contextOf(kind, id));

/** Returns the text; undefined if the installation's key does not open it. */
export const decryptMcpSecret = (
  cipher: SecretCipher,
  kind: McpSecretKind,
  id: string,
  encrypted: string,
): Decrypted | undefined => cipher.decrypt(encrypted, contextOf(kind, id));

/** Returns the headers of a server; undefined if the installation's key does not open them. */
export function decryptHeaders(
  cipher: SecretCipher,
  { id, headers_encrypted: encrypted }: { id: string; headers_encrypted: string | null },
): Record<string, string> | undefined {
  if (encrypted === null) return {};
  const opened = decryptMcpSecret(cipher, "headers", id, encrypted);
  if (!opened) return undefined;
  const headers: unknown = JSON.parse(opened.text);
  if (!isRecord(headers)) return {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
