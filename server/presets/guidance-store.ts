import type { Effort } from "#contract/models/effort.ts";
import { prepared } from "../database/prepared.ts";
import type { BudgetColumns, ChatRow, Queryable } from "../database/schema.ts";
import { parseToolGroups } from "./tool-groups.ts";

/**
 * Instructions for a chat's models; empty if none. `temperature`, `effort`: null is the model's default. `budgets`: read
 * with the account, so that a send needs no further statement for them. `tools`: slugs of groups that are switched on.
 */
export type Guidance = {
  account: string;
  preset: string;
  chat: string;
  temperature: number | null;
  effort: Effort | null;
  tools: readonly string[];
  budgets: BudgetColumns;
};

const noBudgets: BudgetColumns = {
  group_id: null,
  budget: null,
  group_budget: null,
  member_budget: null,
  time_zone: null,
};

/** Fields of a chat, or of a temporary chat, that select its guidance. */
export type Guided = Pick<ChatRow, "user_id" | "preset_id" | "instructions" | "effort" | "tools">;

const selectGuidance = prepared((db, chat: Pick<Guided, "user_id" | "preset_id">) =>
  db
    .selectFrom("users")
    .leftJoin("presets", (join) =>
      join
        .onRef("presets.user_id", "=", "users.id")
        .on("presets.id", "=", chat.preset_id)
        .on("presets.deleted_at", "is", null),
    )
    .leftJoin("account_groups", "account_groups.id", "users.group_id")
    .select([
      "users.instructions as account",
      "presets.instructions as preset",
      "presets.temperature",
      "presets.effort",
      "presets.tools",
      "users.group_id",
      "users.budget",
      "account_groups.budget as group_budget",
      "account_groups.member_budget",
      "account_groups.time_zone",
    ])
    .where("users.id", "=", chat.user_id),
);

/** Reads the current instructions of account, preset (unless deleted) and chat, and the account's budgets. */
export async function readGuidance(db: Queryable, chat: Guided): Promise<Guidance> {
  const [row] = await selectGuidance(db, { user_id: chat.user_id, preset_id: chat.preset_id });
  return {
    account: row?.account ?? "",
    preset: row?.preset ?? "",
    chat: chat.instructions,
    temperature: row?.temperature ?? null,
    effort: chat.effort ?? row?.effort ?? null,
    tools: parseToolGroups(chat.tools ?? row?.tools ?? null) ?? [],
    budgets: row ?? noBudgets,
  };
}
