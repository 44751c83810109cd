import { personFieldsOf } from "#contract/administration/connection-headers.ts";
import type { ConnectionHeader } from "#contract/administration/connections.ts";
import { type Caller, NO_CALLER } from "../model-access.ts";

/** Headers of a connection, and whether `{email}` and `{name}` may be replaced. */
export type HeaderTemplates = { headers: readonly ConnectionHeader[]; sendsPerson: boolean };

const PLACEHOLDER = /\{(account|group|email|name)\}/g;
/** Shorter words of a header may be words of a reply. */
const SHORTEST_SECRET = 20;

/** Returns the headers of a call, with names in lower case. Other text in braces stays literal. */
export async function fillHeaders(
  { headers, sendsPerson }: HeaderTemplates,
  caller: Caller,
): Promise<Record<string, string>> {
  const isPersonal = sendsPerson && headers.some((header) => personFieldsOf(header).length > 0);
  const person = await (isPersonal ? caller : NO_CALLER).readPerson();
  const values: Readonly<Record<string, string>> = { account: caller.account, group: caller.group, ...person };
  const fill = (value: string) => value.replaceAll(PLACEHOLDER, (_, name: string) => sendable(values[name] ?? ""));
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), fill(value)]));
}

/** Returns the words of headers that are masked in replies, like a key. Addresses are none. */
export function secretsIn(headers: readonly ConnectionHeader[]): string[] {
  const words = headers.flatMap(({ value }) => value.split(/\s+/));
  return words.filter((word) => word.length >= SHORTEST_SECRET && !word.includes("://"));
}

/** Encodes characters that a header cannot have, and `%` itself, in the form of URLs. */
function sendable(text: string): string {
  return text.toWellFormed().replaceAll(/[^\x20-\x7e]|%/gu, encodeURIComponent);
}
