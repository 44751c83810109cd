import type { Spending } from "../../../budgets/spending.ts";
import { shortTransaction } from "../../../database/group-commit.ts";
import type { Database, Queryable } from "../../../database/schema.ts";
import type { Log } from "../../../log.ts";
import type { LiveReply } from "../live-reply.ts";
import { storedOpenCall } from "../open-call.ts";
import { storeOpenCall } from "../reply-store.ts";
import type { CallJournal } from "./production.ts";

type JournalDeps = { database: Database; log: Log };

/**
 * Stores at the end of each call but the last one what it has cost, and before each further call which model is asked,
 * so that both are known after a kill. Stores nothing for a reply that another process has taken over.
 */
export function callJournal({ database, log }: JournalDeps, reply: LiveReply, spending: Spending): CallJournal {
  const { timeZone } = reply;
  const open = (model: string | null) =>
    storedOpenCall({ model, text: reply.text.length, reasoning: reply.parts.reasoningLength, timeZone });
  return {
    async begin(db: Queryable, model: string) {
      await storeOpenCall(db, reply, { open_call: open(model) });
    },
    async end(writer: string | null) {
      const columns = { open_call: open(null), ...(writer !== null && { model: writer }) };
      const stored = shortTransaction(database, async (db) => {
        if (await storeOpenCall(db, reply, columns)) await spending.settle(db);
      });
      // They are counted with the last call.
      await stored.catch((error: unknown) => {
        log.warn({ err: error, reply: reply.id }, "ended calls could not be counted yet");
      });
    },
  };
}
