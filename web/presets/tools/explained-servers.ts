import type { ToolServer } from "#contract/conversation/tools.ts";
import { currentSession } from "../../accounts/session/session.ts";
import { readStorage, writeStorage } from "../../storage/browser-storage.ts";

/** Servers that are remembered; the oldest are forgotten. */
const SERVERS_MAX = 200;

const keyOf = (account: string) => `tool-servers:${account}`;

type Explained = Pick<ToolServer, "id" | "host" | "tools">;

/** Returns a number for a server, its host, its tools and their effects (FNV-1a, 32 bits). */
function digestOf({ id, host, tools }: Explained): string {
  const effects = tools.map(({ name, effect }) => `${name} ${effect}`).toSorted();
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify([id, host, effects])) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}

function readDigests(): { account: string; digests: string[] } | null {
  const account = currentSession().user?.id;
  if (account === undefined) return null;
  return { account, digests: (readStorage(keyOf(account)) ?? "").split(" ").filter((digest) => digest !== "") };
}

/** Whether this account has read in this browser what a server is, and it can do nothing else since. */
export const isExplained = (server: Explained): boolean => readDigests()?.digests.includes(digestOf(server)) === true;

/** Stores that the person has read what a server is and has switched it on. */
export function storeExplained(server: Explained): void {
  const stored = readDigests();
  if (!stored) return;
  const digests = [...new Set([...stored.digests, digestOf(server)])].slice(-SERVERS_MAX);
  writeStorage(keyOf(stored.account), digests.join(" "), "The explained servers");
}
