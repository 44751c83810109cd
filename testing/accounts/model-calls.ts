import { newId } from "../../server/database/new-id.ts";
import type { TestApp } from "../app/start-test-app.ts";
import type { TestAccount } from "./sign-up.ts";

/** Inserts one call of each account. @param call `cost`: in 1e-9 US dollars; `at`: Unix time in ms */
export async function insertCalls(
  { context }: TestApp,
  accounts: readonly TestAccount[],
  { cost, at }: { cost: number; at: number },
): Promise<void> {
  const { database } = context;
  const groupOf = (id: string) => database.selectFrom("users").select("group_id").where("id", "=", id);
  const rows = accounts.map(({ user }) => ({
    ...{ id: newId(), user_id: user.id, message_id: null, purpose: "reply" as const, model: "GPT:test" },
    ...{ input_tokens: 1, output_tokens: 1, cached_input_tokens: null, cache_write_tokens: null },
    ...{ reasoning_tokens: null, is_estimate: 0, cost_nano_usd: cost, at, budgets: "", duration_ms: 1 },
    group_id: groupOf(user.id),
  }));
  await database.insertInto("model_calls").values(rows).execute();
}
