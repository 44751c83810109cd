import type { AccountGroupRow } from "./administration-tables.ts";

/** Money of one budget in one month, in 1e-9 US dollars. */
export interface BudgetTotalRow {
  /** The budget: `installation`, `group:<id>` or `account:<id>`. */
  scope: string;
  /** In the time zone of the budget, e.g. `2026-11`. */
  month: string;
  /** Costs of calls that have ended. */
  spent: number;
  /** Sum of the budget's reservations. */
  reserved: number;
  /** 1: most of the budget is spent, and the log or a notice says so. */
  warned: number;
  /** The month, Unix times in ms, if all its calls are counted; null: earlier calls, or those of another time zone, are not. */
  begins_at: number | null;
  ends_at: number | null;
}

/** Money that is reserved for a call to a provider until its cost is known: a row for each budget of the call. */
export interface BudgetReservationRow {
  /** Of the call. */
  id: string;
  scope: string;
  /** Month at the start of the call, to which its cost is booked. */
  month: string;
  user_id: string;
  /** The reply that the call writes; null for titles and temporary chats. */
  message_id: string | null;
  purpose: "reply" | "title" | "temporary" | "test";
  /** In 1e-9 US dollars. */
  amount: number;
  at: number;
  /** The process that makes the call. */
  owner: string;
}

/** Columns of an account and of its group that decide on the budgets of its calls; those of the group are null without. */
export type BudgetColumns = {
  group_id: string | null;
  /** The account's own. */
  budget: number | null;
  group_budget: number | null;
  member_budget: AccountGroupRow["member_budget"];
  time_zone: AccountGroupRow["time_zone"] | null;
};
