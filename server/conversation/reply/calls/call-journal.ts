import type { Spending } from "../../../budgets/spending.ts";
import { shortTransaction } from "../../../database/group-commit.ts";
import type { Database, Queryable } from "../../../database/schema.ts";
import type { Log } from "../../../log.ts";
import type { LiveReply } from "../live-reply.ts";
import { type NamedSources, type OpenCall, storedOpenCall } from "../open-call.ts";
import { storeOpenCall } from "../reply-store.ts";
import type { CallJournal } from "./production.ts";

type JournalDeps = { database: Database; log: Log };

/**
 * Stores at the end of each call but the last one what it has cost, and before each further call which model is asked,
 * so that both are known after a kill; during a call, the sources that its provider names. Stores nothing for a reply that another process has taken over.
 */
export function callJournal({ database, log }: JournalDeps, reply: LiveReply, spending: Spending): CallJournal {
  let open: OpenCall = stateOf(reply, null);
  let named: NamedSources | undefined;
  let naming: Promise<void> | undefined;
  const warn = (words: string) => (error: unknown) => log.warn({ err: error, reply: reply.id }, words);
  const storeNamed = async () => {
    while (named) {
      const columns = { open_call: storedOpenCall({ ...open, named }) };
      named = undefined;
      await shortTransaction(database, async (db) => void (await storeOpenCall(db, reply, columns)));
    }
  };
  const endNaming = async () => {
    named = undefined;
    await naming;
  };
  return {
    async begin(db: Queryable, model: string) {
      open = stateOf(reply, model);
      await storeOpenCall(db, reply, { open_call: storedOpenCall(open) });
    },
    name(model: string, sources: NamedSources) {
      open = { ...open, model };
      named = sources;
      naming ??= storeNamed()
        .catch(warn("sources of a call could not be stored yet"))
        .finally(() => {
          naming = undefined;
        });
    },
    async end(writer: string | null) {
      await endNaming();
      open = stateOf(reply, null);
      const columns = { open_call: storedOpenCall(open), ...(writer !== null && { model: writer }) };
      const stored = shortTransaction(database, async (db) => {
        if (await storeOpenCall(db, reply, columns)) await spending.settle(db);
      });
      // They are counted with the last call.
      await stored.catch(warn("ended calls could not be counted yet"));
    },
  };
}

/** Returns the call that a reply waits for. @param model null between two calls */
function stateOf({ text, parts, timeZone }: LiveReply, model: string | null): OpenCall {
  return { model, text: text.length, reasoning: parts.reasoningLength, timeZone };
}
