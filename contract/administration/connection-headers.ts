/** Rules of the additional headers of a connection. */

import type { ConnectionHeader, ConnectionKind } from "./connections.ts";

/** Opaque ids of the calling account and of its group; empty for calls without an account, or without a group. */
export const idPlaceholders = ["{account}", "{group}"] as const;
/** Its address and its name, only where an owner has switched that on. */
export const personPlaceholders = ["{email}", "{name}"] as const;
export type PersonField = "email" | "name";

/** Header in which a connection sends its key. */
const keyHeaders: Readonly<Record<ConnectionKind, string>> = {
  openai: "authorization",
  ollama: "authorization",
  anthropic: "x-api-key",
  azure: "api-key",
};

/** Headers of one hop (RFC 9110, 7.6.1), of the message itself, of the representation that is read, and of sessions. */
const reserved: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "http2-settings", "expect"],
  ...["host", "content-length", "content-type", "content-encoding", "accept", "accept-encoding", "anthropic-version"],
  ...["cookie", "cookie2", "set-cookie", "set-cookie2"],
]);

/** `reserved`: a name that the connection sets itself. `repeated`. `identity`: a person's data without the switch. */
export type HeaderProblem = { rule: "reserved" | "repeated" | "identity"; name: string };

export type HeaderOptions = { kind: ConnectionKind; hasKey: boolean; sendsPerson: boolean };

/** Parses lines `Name: value`, without checking them: a line that is none has an empty name. Blank lines are ignored. */
export function parseHeaderLines(text: string): ConnectionHeader[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const at = line.indexOf(":");
    return { name: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() };
  });
}

/** Returns the person's data that a header's value sends. */
export function personFieldsOf({ value }: ConnectionHeader): PersonField[] {
  return (["email", "name"] as const).filter((field) => value.includes(`{${field}}`));
}

/** Returns the first header that a connection must not have, with the rule that it breaks. */
export function headerProblem(
  headers: readonly ConnectionHeader[],
  { kind, hasKey, sendsPerson }: HeaderOptions,
): HeaderProblem | undefined {
  const seen = new Set<string>();
  for (const header of headers) {
    const name = header.name.toLowerCase();
    const isKey = hasKey && name === keyHeaders[kind];
    if (isKey || reserved.has(name) || name.startsWith("proxy-")) return { rule: "reserved", name: header.name };
    if (seen.has(name)) return { rule: "repeated", name: header.name };
    if (!sendsPerson && personFieldsOf(header).length > 0) return { rule: "identity", name: header.name };
    seen.add(name);
  }
  return undefined;
}
