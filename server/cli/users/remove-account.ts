import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SECOND } from "#contract/limits.ts";
import { findUser } from "../../accounts/account-store.ts";
import type { AccountContext } from "../../accounts/accounts.ts";
import { commandLine } from "../../accounts/administration/administrator.ts";
import { DataFolderTaken, takeDataFolder } from "../../config/data-folder.ts";
import { listWritingOf } from "../../conversation/message-store.ts";
import { requestStop } from "../../conversation/reply/reply-store.ts";
import { removeEntries } from "../../search/search-index-store.ts";
import type { Call } from "../command.ts";

const TIMEOUT_MS = 30 * SECOND;
const POLL_MS = SECOND / 4;

/**
 * Removes an account. If a server uses the SQLite file, the server removes it, because it has the account's running
 * work in memory. The server notices the mark within a second.
 * @returns whether the account was removed; `false` if the server takes longer than 30 s
 */
export async function removeAccount(call: Call, deps: AccountContext, userId: string): Promise<boolean> {
  const { config, secrets } = call.configuration();
  const { database, deletions } = deps;
  deletions.onRemoving(async (id) => {
    for (const reply of await listWritingOf(database, id)) await requestStop(database, reply.id);
  });
  deletions.onRemoving(async (id, signal) => {
    while (!signal.aborted && (await removeEntries(database, id)));
  });
  using lock = secrets.databaseUrl === undefined ? await takeUnlessServed(config.dataDir) : undefined;
  await deletions.markFor(userId, commandLine);
  if (secrets.databaseUrl === undefined && !lock) return isGoneSoon(deps, userId);
  await deletions.removeNow(userId);
  return true;
}

async function takeUnlessServed(dataDir: string): Promise<Disposable | undefined> {
  try {
    return await takeDataFolder(dataDir);
  } catch (error) {
    if (error instanceof DataFolderTaken) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The data folder ${resolve(dataDir)} cannot be used (${reason}); nothing was deleted.`, {
      cause: error,
    });
  }
}

async function isGoneSoon({ database }: AccountContext, userId: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < TIMEOUT_MS; waitedMs += POLL_MS) {
    if (!(await findUser(database, userId))) return true;
    await setTimeout(POLL_MS);
  }
  return false;
}
