/** One call to a provider. Remains after its message or chat is deleted. */
export interface ModelCallRow {
  id: string;
  user_id: string;
  /** The reply that the call wrote; null for titles, temporary chats and tests. */
  message_id: string | null;
  purpose: "reply" | "title" | "temporary" | "test";
  model: string;
  /** Null if unknown. */
  input_tokens: number | null;
  output_tokens: number | null;
  /** Shares of `input_tokens` and of `output_tokens`; null if unknown. */
  cached_input_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  /** 1: estimated, because the provider did not report counts. */
  is_estimate: number;
  /** In 1e-9 US dollars at the prices of that time; null if the model has no price. */
  cost_nano_usd: number | null;
  /** Time of its beginning, at which money was reserved for it. */
  at: number;
  /** Null: the process died before the end. */
  duration_ms: number | null;
  /** Of the account when the call was made. */
  group_id: string | null;
  /** Scopes of the budgets in which money was reserved for it, with blanks between. */
  budgets: string;
}

/** Sums of the calls of an account in a month (UTC); a trigger adds each inserted call. */
export interface AccountMonthRow {
  user_id: string;
  /** Such as `2026-11`. */
  month: string;
  /** Replies whose first call was in the month; some may have failed. */
  replies: number;
  /** In 1e-9 US dollars; null if no call has a price. */
  cost_nano_usd: number | null;
}
