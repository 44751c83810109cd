import * as z from "zod/mini";
import type { Spending } from "../../budgets/spending.ts";
import { shortTransaction } from "../../database/group-commit.ts";
import type { Database, MessageRow, Queryable } from "../../database/schema.ts";
import type { Log } from "../../log.ts";
import type { CallJournal } from "./calls/production.ts";
import type { LiveReply } from "./live-reply.ts";
import { storeOpenCall } from "./reply-store.ts";

const openCallSchema = z.object({ model: z.nullable(z.string()), text: z.number(), reasoning: z.number() });

/**
 * The call that a running reply waits for. `model`: null between two calls; `text`, `reasoning`: lengths before it, in
 * UTF-16 units.
 */
export type OpenCall = z.infer<typeof openCallSchema>;

export function storedOpenCall(call: OpenCall): string {
  return JSON.stringify(call);
}

/** @returns undefined for the first call of a reply */
export function parseOpenCall({ open_call: stored }: Pick<MessageRow, "open_call">): OpenCall | undefined {
  return stored === null ? undefined : openCallSchema.parse(JSON.parse(stored));
}

/** Lengths of what is stored of a running reply, in UTF-16 units. */
type Written = { text: number; reasoning: number };

/** Returns the model whose output in a running reply is last; null if there is no output yet. */
export function writerOf(row: Pick<MessageRow, "open_call" | "model">, { text, reasoning }: Written): string | null {
  if (text + reasoning === 0) return null;
  const call = parseOpenCall(row);
  return call && (text > call.text || reasoning > call.reasoning) ? (call.model ?? row.model) : row.model;
}

type JournalDeps = { database: Database; log: Log };

/**
 * Stores at the end of each call but the last one what it has cost, and before each further call which model is asked,
 * so that both are known after a kill. Stores nothing for a reply that another process has taken over.
 */
export function callJournal({ database, log }: JournalDeps, reply: LiveReply, spending: Spending): CallJournal {
  const open = (model: string | null) =>
    storedOpenCall({ model, text: reply.text.length, reasoning: reply.parts.reasoningLength });
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
