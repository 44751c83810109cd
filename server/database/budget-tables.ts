/** Money of one budget in one month, in 1e-9 US dollars. */
export interface BudgetTotalRow {
  /** The budget: `installation`. */
  scope: string;
  /** In UTC, e.g. `2026-11`. */
  month: string;
  /** Costs of calls that have ended. */
  spent: number;
  /** Sum of the budget's reservations. */
  reserved: number;
  /** 1: most of the budget is spent, and the log says so. */
  warned: number;
}

/** Money that is reserved for a call to a provider until its cost is known. */
export interface BudgetReservationRow {
  /** Of the call. */
  id: string;
  scope: string;
  /** Month at the start of the call, to which its cost is booked. */
  month: string;
  user_id: string;
  /** The reply that the call writes; null for titles and temporary chats. */
  message_id: string | null;
  purpose: "reply" | "title" | "temporary";
  /** In 1e-9 US dollars. */
  amount: number;
  at: number;
  /** The process that makes the call. */
  owner: string;
}
