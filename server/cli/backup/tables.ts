/** A table whose rows are copied. */
export type CopiedTable = {
  name: string;
  /** Columns of a unique key, used for keyset pagination. */
  key: readonly [string, ...string[]];
};

/** All tables of an installation, ordered so that each row's foreign keys refer to earlier tables. */
export const copiedTables: readonly CopiedTable[] = [
  { name: "settings", key: ["name"] },
  { name: "connections", key: ["id"] },
  { name: "connection_models", key: ["slug", "name"] },
  { name: "identity_providers", key: ["id"] },
  { name: "account_groups", key: ["id"] },
  { name: "users", key: ["id"] },
  { name: "folders", key: ["id"] },
  { name: "presets", key: ["id"] },
  { name: "chats", key: ["id"] },
  { name: "imported_origins", key: ["user_id", "digest"] },
  { name: "messages", key: ["id"] },
  { name: "reply_chunks", key: ["message_id", "at"] },
  { name: "message_parts", key: ["message_id", "seq"] },
  { name: "reasoning_chunks", key: ["message_id", "seq", "at"] },
  { name: "provider_turns", key: ["message_id", "step"] },
  { name: "tool_resumptions", key: ["message_id", "seq"] },
  { name: "tool_approvals", key: ["id"] },
  { name: "files", key: ["key"] },
  { name: "file_texts", key: ["key"] },
  { name: "message_files", key: ["message_id", "position"] },
  { name: "shares", key: ["id"] },
  { name: "share_pages", key: ["share_id"] },
  { name: "share_files", key: ["share_id", "position"] },
  { name: "file_removals", key: ["key"] },
  { name: "sends", key: ["user_id", "key"] },
  { name: "daily_replies", key: ["user_id", "day"] },
  { name: "deleted_chats", key: ["user_id", "chat_id"] },
  { name: "model_calls", key: ["id"] },
  { name: "sessions", key: ["id"] },
  { name: "devices", key: ["user_id", "device"] },
  { name: "last_sign_ins", key: ["user_id", "way"] },
  { name: "mcp_servers", key: ["id"] },
  { name: "mcp_server_states", key: ["server", "user_id"] },
  { name: "mcp_tokens", key: ["id"] },
  { name: "mcp_clients", key: ["id"] },
  { name: "mcp_attempts", key: ["hash"] },
  { name: "mcp_call_counts", key: ["server", "day"] },
  { name: "totp_factors", key: ["user_id"] },
  { name: "passkeys", key: ["id"] },
  { name: "recovery_codes", key: ["user_id", "hash"] },
  { name: "lost_factors", key: ["user_id"] },
  { name: "sign_in_tickets", key: ["hash"] },
  { name: "remembered_browsers", key: ["user_id", "device"] },
  { name: "external_identities", key: ["id"] },
  { name: "provider_sessions", key: ["session_id"] },
  { name: "security_events", key: ["id"] },
  { name: "email_keys", key: ["id"] },
  { name: "used_nonces", key: ["hash"] },
  { name: "mails", key: ["id"] },
  { name: "limits", key: ["key"] },
  { name: "sign_in_throttles", key: ["key"] },
  { name: "invitations", key: ["id"] },
  { name: "invitation_uses", key: ["user_id"] },
  { name: "class_codes", key: ["invitation_id"] },
  { name: "budget_totals", key: ["scope", "month"] },
  { name: "budget_reservations", key: ["id", "scope"] },
  { name: "ownership_offers", key: ["id"] },
  { name: "audit_events", key: ["seq"] },
  { name: "audit_head", key: ["id"] },
  // Includes its tokens, which each engine stores differently.
  { name: "search_entries", key: ["id"] },
];

/**
 * Tables whose rows are not copied: sums that a trigger makes of copied rows; leases of running servers; bytes of attached files, which are copied as files on
 * both engines; and incomplete uploads, which begin again.
 */
export const passingTables: readonly string[] = [
  "account_months",
  "processes",
  "file_objects",
  "file_chunks",
  "upload_objects",
  "upload_chunks",
];

/**
 * Tables with credentials that somebody may hold, such as a session or a mailed link, and how a restore ends those that
 * were ended since the backup: `delete` removes rows, `revoke` sets `revoked_at` of rows that others refer to, `mark` sets
 * `restored_at`, for a notice at the next sign-in.
 */
export const credentialTables: Readonly<Record<string, "delete" | "revoke" | "mark">> = {
  sessions: "delete",
  sign_in_tickets: "delete",
  remembered_browsers: "delete",
  recovery_codes: "delete",
  lost_factors: "delete",
  totp_factors: "mark",
  passkeys: "mark",
  external_identities: "mark",
  email_keys: "delete",
  ownership_offers: "delete",
  class_codes: "delete",
  tool_approvals: "delete",
  mcp_tokens: "delete",
  mcp_attempts: "delete",
  invitations: "revoke",
  shares: "delete",
};
