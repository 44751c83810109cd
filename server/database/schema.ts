/** Rows as both databases store them. Times are Unix times in ms; ids are UUIDv7 from `new-id.ts`. */

import type { Generated, Kysely, Transaction } from "kysely";
import type { AccountRole } from "#contract/accounts/roles.ts";
import type { SecurityEventKind, signInMethods } from "#contract/accounts/sessions.ts";
import type { Effort } from "#contract/models/effort.ts";
import type { AccountGroupRow, OwnershipOfferRow, SettingRow } from "./tables/administration-tables.ts";
import type { FileRemovalRow, FileRow, FileTextRow, MessageFileRow } from "./tables/attached-file-tables.ts";
import type { AuditEventRow, AuditHeadRow } from "./tables/audit-tables.ts";
import type { BudgetReservationRow, BudgetTotalRow } from "./tables/budget-tables.ts";
import type { DailyRepliesRow, DeletedChatRow, ImportedOriginRow, SendRow } from "./tables/chat-tables.ts";
import type { ConnectionModelRow, ConnectionRow } from "./tables/connection-tables.ts";
import type { FileChunkRow, FileObjectRow, UploadChunkRow, UploadObjectRow } from "./tables/file-tables.ts";
import type { ClassCodeRow, InvitationRow, InvitationUseRow } from "./tables/invitation-tables.ts";
import type {
  McpAttemptRow,
  McpCallCountRow,
  McpClientRow,
  McpServerRow,
  McpServerStateRow,
  McpTokenRow,
  ToolResumptionRow,
} from "./tables/mcp-tables.ts";
import type { MessagePartRow, MessageRow, ReasoningChunkRow, ReplyChunkRow } from "./tables/message-tables.ts";
import type {
  LostFactorRow,
  PasskeyRow,
  RecoveryCodeRow,
  RememberedBrowserRow,
  SignInTicketRow,
  TotpFactorRow,
} from "./tables/second-factor-tables.ts";
import type { ShareFileRow, SharePageRow, ShareRow } from "./tables/share-tables.ts";
import type { DeviceRow, LastSignInRow, LimitRow, SignInThrottleRow } from "./tables/sign-in-tables.ts";
import type { ExternalIdentityRow, IdentityProviderRow, ProviderSessionRow } from "./tables/sso-tables.ts";
import type { ProviderTurnRow, ToolApprovalRow } from "./tables/tool-tables.ts";
import type { AccountMonthRow, ModelCallRow } from "./tables/usage-tables.ts";

export type { AccountGroupRow, OwnershipOfferRow, SettingRow } from "./tables/administration-tables.ts";
export type { FileRow } from "./tables/attached-file-tables.ts";
export type { BudgetColumns, BudgetReservationRow, BudgetTotalRow } from "./tables/budget-tables.ts";
export type { SendRow } from "./tables/chat-tables.ts";
export type { MessagePartRow, MessageRow, ReasoningChunkRow, ReplyChunkRow } from "./tables/message-tables.ts";
export type { ModelCallRow } from "./tables/usage-tables.ts";

export interface Schema {
  users: UserRow;
  sessions: SessionRow;
  email_keys: EmailKeyRow;
  used_nonces: UsedNonceRow;
  mails: MailRow;
  chats: ChatRow;
  messages: MessageRow;
  reply_chunks: ReplyChunkRow;
  message_parts: MessagePartRow;
  reasoning_chunks: ReasoningChunkRow;
  provider_turns: ProviderTurnRow;
  tool_approvals: ToolApprovalRow;
  tool_resumptions: ToolResumptionRow;
  mcp_servers: McpServerRow;
  mcp_server_states: McpServerStateRow;
  mcp_tokens: McpTokenRow;
  mcp_clients: McpClientRow;
  mcp_attempts: McpAttemptRow;
  mcp_call_counts: McpCallCountRow;
  shares: ShareRow;
  share_pages: SharePageRow;
  share_files: ShareFileRow;
  files: FileRow;
  file_texts: FileTextRow;
  message_files: MessageFileRow;
  file_removals: FileRemovalRow;
  file_objects: FileObjectRow;
  file_chunks: FileChunkRow;
  upload_objects: UploadObjectRow;
  upload_chunks: UploadChunkRow;
  sends: SendRow;
  daily_replies: DailyRepliesRow;
  deleted_chats: DeletedChatRow;
  imported_origins: ImportedOriginRow;
  folders: FolderRow;
  presets: PresetRow;
  model_calls: ModelCallRow;
  account_months: AccountMonthRow;
  search_entries: SearchEntryTable;
  processes: ProcessRow;
  devices: DeviceRow;
  last_sign_ins: LastSignInRow;
  security_events: SecurityEventRow;
  limits: LimitRow;
  sign_in_throttles: SignInThrottleRow;
  totp_factors: TotpFactorRow;
  passkeys: PasskeyRow;
  recovery_codes: RecoveryCodeRow;
  lost_factors: LostFactorRow;
  sign_in_tickets: SignInTicketRow;
  remembered_browsers: RememberedBrowserRow;
  external_identities: ExternalIdentityRow;
  provider_sessions: ProviderSessionRow;
  identity_providers: IdentityProviderRow;
  audit_events: AuditEventRow;
  audit_head: AuditHeadRow;
  invitations: InvitationRow;
  invitation_uses: InvitationUseRow;
  class_codes: ClassCodeRow;
  budget_totals: BudgetTotalRow;
  budget_reservations: BudgetReservationRow;
  settings: SettingRow;
  connections: ConnectionRow;
  connection_models: ConnectionModelRow;
  account_groups: AccountGroupRow;
  ownership_offers: OwnershipOfferRow;
}

/** Parameter type of stores: the database itself or a running transaction. */
export type Queryable = Kysely<Schema> | Transaction<Schema>;
export type Database = Kysely<Schema>;

export interface UserRow {
  id: string;
  username: string;
  /** Case-folded; used for uniqueness and lookups. */
  username_key: string;
  email: string;
  email_key: string;
  firstname: string;
  lastname: string;
  password_hash: string | null;
  google_subject: string | null;
  verified_at: number | null;
  created_at: number;
  /**
   * Sequence number of changes to the account. A transaction that increments it locks the row, so that changes become
   * visible in their order.
   */
  change_seq: number;
  /** Scheduled deletion, cancelled if the owner signs in before. */
  delete_at: number | null;
  /**
   * 0: the address was verified in another browser than the one that chose the password, which may be an attacker's.
   */
  password_confirmed: number;
  /** `change_seq` at the last change of folders, of presets and of instructions. */
  folders_seq: number;
  presets_seq: number;
  instructions_seq: number;
  /** Instructions for models in all chats of the account. */
  instructions: string;
  /** Time at which an administrator disabled the account; nobody can sign in to it. */
  disabled_at: number | null;
  /**
   * Sum of `stored_bytes` of its chats, including deleted chats until they are removed, of `size` of its files, and of
   * `bytes` of its links.
   */
  stored_bytes: number;
  /**
   * The account's own storage quota in megabytes (1,000,000 bytes), set by an administrator; null: the server's quota.
   */
  quota_mb: number | null;
  /** JSON object of the preferences that were chosen; null before the first choice. */
  preferences: string | null;
  role: AccountRole;
  /** Last use of any session, exact to about a minute; 0 before the first one. */
  last_seen_at: number;
  group_id: string | null;
  /** The account's own budget, in 1e-9 US dollars a month; null: that of its group's members. */
  budget: number | null;
  /** 1: an administrator requires a second factor of the account, whatever its group does. */
  needs_second_factor: number;
}

export interface SessionRow {
  id: string;
  user_id: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** Hash of the browser's device cookie. */
  device: string | null;
  /** User agent at the sign-in. */
  user_agent: string;
  /** Address of the last request. */
  ip: string;
  /** `mail-elsewhere`: by a mailed link in another browser than the one that registered. */
  method: (typeof signInMethods)[number] | "mail-elsewhere";
  /** When its user last re-authenticated as the account's owner. */
  proved_at: number;
}

export interface EmailKeyRow {
  id: string;
  user_id: string;
  /** `verified-email`: a used `verify-email`, until it would have expired. */
  purpose:
    | ("verify-email" | "confirm-password" | "reset-password" | "change-email" | "undo-email" | "verified-email")
    | ("lose-factor" | "keep-factor")
    // Of a link that a command prints.
    | "sign-in";
  /** SHA-256 of the key, hex. The key itself is derived from the id at each delivery. */
  hash: string;
  expires_at: number;
  /** The new address that the key verifies; null if the address does not change. */
  address: string | null;
  /** The browser that requested the key: where the password or the new address was entered. */
  device: string | null;
}

export interface UsedNonceRow {
  hash: string;
  expires_at: number;
}

export interface MailRow {
  id: string;
  template: string;
  user_id: string | null;
  /** JSON with the template's values except those of the account: ids, never keys. */
  params: string;
  created_at: number;
  attempts: number;
  next_attempt_at: number;
  sent_at: number | null;
  failed_at: number | null;
}

export interface ChatRow {
  id: string;
  user_id: string;
  title: string;
  title_origin: "default" | "question" | "model" | "person";
  /** Last message of the selected branch; null in an empty chat. */
  leaf: string | null;
  created_at: number;
  updated_at: number;
  /** The account's `change_seq` at the chat's last change. */
  changed_seq: number;
  /** 1: a reply has ended that nobody has read. */
  unread: number;
  pinned: number;
  archived: number;
  /** A folder that is itself deleted counts as none. */
  folder_id: string | null;
  /** Deleted for all readers, but the deletion can still be undone. */
  deleted_at: number | null;
  /** Instructions for models in this chat. */
  instructions: string;
  /** A preset that is itself deleted counts as none. */
  preset_id: string | null;
  /** Effort of reasoning that was chosen last; null: the preset's, else the model's. */
  effort: Effort | null;
  /** JSON of the slugs of its groups of tools; null: the preset's, else none. */
  tools: string | null;
  /**
   * Source and id of the chat that was imported: `parley:` and the id of an exported chat, or a service such as `claude:` and
   * the id of a chat there.
   */
  imported_from: string | null;
  /**
   * Sum of `storedBytes` of its messages, counted against quotas. A running reply counts with its size before the run.
   */
  stored_bytes: number;
}

export interface FolderRow {
  id: string;
  user_id: string;
  name: string;
  /** Ascending; equal positions are sorted by id. */
  position: number;
  created_at: number;
  deleted_at: number | null;
}

/** Instructions, a model and a temperature under a name. */
export interface PresetRow {
  id: string;
  user_id: string;
  name: string;
  instructions: string;
  /** Null: the choice without a preset. */
  model: string | null;
  /** Null: the model's default. */
  temperature: number | null;
  effort: Effort | null;
  /** JSON of slugs, as of a chat. */
  tools: string | null;
  position: number;
  created_at: number;
  deleted_at: number | null;
}

/**
 * Search entry of a message, of a file that it names, or of a chat for its title. How words are stored differs between
 * the engines: see `search/`.
 */
export interface SearchEntryRow {
  /** Ascending: a newer entry has a larger id. */
  id: number;
  user_id: string;
  chat_id: string;
  /** Null: the chat's title. */
  message_id: string | null;
  /** Null: the message's own text, or the title. Triggers remove the entry when the message does not name the file. */
  file_id: string | null;
  at: number;
}

type SearchEntryTable = Omit<SearchEntryRow, "id"> & {
  id: Generated<number>;
  /** Words of the entry, on PostgreSQL only. */
  tokens?: string;
};

/** A process that writes replies into a shared database. */
export interface ProcessRow {
  id: string;
  /** End of its lease by the database's clock, Unix time in ms. After it, other processes may take over its replies. */
  lease_until: number;
}

export interface SecurityEventRow {
  id: string;
  user_id: string;
  kind: SecurityEventKind;
  at: number;
  ip: string;
  user_agent: string;
}
