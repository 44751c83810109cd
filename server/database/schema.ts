/** Rows as both databases hold them. Times are ms since 1970; ids are UUIDv7 from `new-id.ts`. */

import type { Generated, Kysely, Transaction } from "kysely";
import type { MessageState, Role } from "#contract/conversation.ts";
import type { SecurityEventKind, signInMethods } from "#contract/sessions.ts";

export interface Schema {
  users: UserRow;
  sessions: SessionRow;
  email_keys: EmailKeyRow;
  used_nonces: UsedNonceRow;
  mails: MailRow;
  chats: ChatRow;
  messages: MessageRow;
  reply_chunks: ReplyChunkRow;
  sends: SendRow;
  daily_replies: DailyRepliesRow;
  deleted_chats: DeletedChatRow;
  folders: FolderRow;
  presets: PresetRow;
  model_calls: ModelCallRow;
  search_entries: SearchEntryTable;
  processes: ProcessRow;
  devices: DeviceRow;
  security_events: SecurityEventRow;
  limits: LimitRow;
  sign_in_throttles: SignInThrottleRow;
}

/** What stores take: the database itself or a running transaction. */
export type Queryable = Kysely<Schema> | Transaction<Schema>;
export type Database = Kysely<Schema>;

export interface UserRow {
  id: string;
  username: string;
  /** Case-folded: what uniqueness and look-ups go by. */
  username_key: string;
  email: string;
  email_key: string;
  firstname: string;
  lastname: string;
  password_hash: string | null;
  google_subject: string | null;
  verified_at: number | null;
  created_at: number;
  /** Counts the changes of the account's chats; whoever raises it holds the row, so they are seen in their order. */
  change_seq: number;
  /** When it is to be deleted, unless its owner signs in before. */
  delete_at: number | null;
  /** 0: the address was proved in another browser than the one that chose the password, which may be a stranger's. */
  password_confirmed: number;
  /** `change_seq` at the last change of its folders, of its presets, of its instructions. */
  folders_seq: number;
  presets_seq: number;
  instructions_seq: number;
  /** What every model is told in each of its chats. */
  instructions: string;
  /** Since when an administrator keeps it out; nobody can sign in to it. */
  disabled_at: number | null;
  /** Sum of its chats' `stored_bytes`, those of deleted chats included until they are removed. */
  stored_bytes: number;
  /** Its own storage quota in megabytes (1,000,000 bytes), set by an administrator; none: the server's. */
  quota_mb: number | null;
}

export interface SessionRow {
  id: string;
  user_id: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
  /** Hash of what the browser's device cookie holds. */
  device: string | null;
  /** As at the sign-in. */
  user_agent: string;
  /** As last seen. */
  ip: string;
  method: (typeof signInMethods)[number];
  /** When its person last proved to be the account's owner. */
  proved_at: number;
}

export interface EmailKeyRow {
  id: string;
  user_id: string;
  purpose: "verify-email" | "confirm-password" | "reset-password" | "change-email" | "undo-email";
  /** SHA-256 of the key, hex; the key itself is made anew from the id at each delivery. */
  hash: string;
  expires_at: number;
  /** The address that the key gives the account; none where it keeps its own. */
  address: string | null;
  /** The browser that counts as its asker's: where the password was typed, or another address asked for. */
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
  /** JSON with what the template needs besides the account: ids, never keys. */
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
  /** Last message of the branch that is shown; none in an empty chat. */
  leaf: string | null;
  created_at: number;
  updated_at: number;
  /** The account's `change_seq` at the chat's last change. */
  changed_seq: number;
  /** 1: a reply has ended that nobody has looked at. */
  unread: number;
  pinned: number;
  archived: number;
  /** A folder that is itself deleted counts as none. */
  folder_id: string | null;
  /** Not there any more for anybody, but its deletion may still be undone. */
  deleted_at: number | null;
  /** What every model is told in this chat. */
  instructions: string;
  /** A preset that is itself deleted counts as none. */
  preset_id: string | null;
  /** Id of the exported chat that it was made from. */
  imported_from: string | null;
  /** Sum of `storedBytes` of its messages, by which quotas are counted; of a running reply what it had before. */
  stored_bytes: number;
}

export interface FolderRow {
  id: string;
  user_id: string;
  name: string;
  /** Ascending; those of the same position by their ids. */
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
  /** None: the model is chosen as without a preset. */
  model: string | null;
  /** None: the model's own. */
  temperature: number | null;
  position: number;
  created_at: number;
  deleted_at: number | null;
}

/** One call to a provider. Stays when its message or chat is gone. */
export interface ModelCallRow {
  id: string;
  user_id: string;
  /** The reply that it wrote for; none for titles and for what is not stored. */
  message_id: string | null;
  purpose: "reply" | "title" | "temporary";
  model: string;
  /** None: nothing is known of it. */
  input_tokens: number | null;
  output_tokens: number | null;
  /** 1: the provider did not say; counted by our own rule. */
  is_estimate: number;
  /** In 1e-9 US dollars by the prices of that time; none where the model has no price. */
  cost_nano_usd: number | null;
  /** When it ended. */
  at: number;
  /** None: its process was gone at its end. */
  duration_ms: number | null;
}

export interface MessageRow {
  id: string;
  user_id: string;
  chat_id: string;
  parent: string | null;
  role: Role;
  content: string;
  model: string | null;
  state: MessageState;
  error_code: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  created_at: number;
  ended_at: number | null;
  /** The process that writes it, or last wrote it. */
  owner: string | null;
  /** How often it was begun or continued: a writer of an earlier run has lost it, and stores no more. */
  run: number;
  /** The model that was asked for; none for automatic choice. */
  requested_model: string | null;
  /** JSON: lengths of the text at which it was continued. */
  seams: string | null;
  /** 1: the model stopped at its own limit of length. */
  truncated: number;
  /** 1: it was continued by itself once, after a restart. */
  resumed: number;
  /** 1: somebody asked another process to stop it. */
  stop_requested: number;
}

/** What a message, or a chat by its title, is found by. The words themselves are the engine's business: see `search/`. */
export interface SearchEntryRow {
  /** Ascending; a later entry is newer. */
  id: number;
  user_id: string;
  chat_id: string;
  /** None: the chat's title. */
  message_id: string | null;
  at: number;
}

type SearchEntryTable = Omit<SearchEntryRow, "id"> & {
  id: Generated<number>;
  /** On PostgreSQL only: its words. */
  tokens?: string;
};

/** Text of a reply being written, in pieces; folded into the message at its end. */
export interface ReplyChunkRow {
  message_id: string;
  /** Where the piece begins, in UTF-16 units of the reply's text. */
  at: number;
  text: string;
}

/** What an idempotency key was used for. */
export interface SendRow {
  user_id: string;
  key: string;
  /** Hash of the request, to tell a repeat from another use of the key. */
  fingerprint: string;
  chat_id: string;
  question_id: string | null;
  reply_id: string | null;
  created_at: number;
}

/** How many replies an account has asked for in a day (UTC); chats that it deletes stay counted. */
export interface DailyRepliesRow {
  user_id: string;
  /** Days since 1970. */
  day: number;
  count: number;
}

/** A chat that is gone, for those who still show it. */
export interface DeletedChatRow {
  user_id: string;
  chat_id: string;
  changed_seq: number;
  deleted_at: number;
}

/** A process that writes replies into a database that several share. */
export interface ProcessRow {
  id: string;
  /** By the database's own clock, ms since 1970: after that, what it was writing is nobody's. */
  lease_until: number;
}

/** A browser in which an account was signed in before. */
export interface DeviceRow {
  user_id: string;
  /** Hash of what its cookie holds. */
  device: string;
  first_seen_at: number;
  last_seen_at: number;
}

export interface SecurityEventRow {
  id: string;
  user_id: string;
  kind: SecurityEventKind;
  at: number;
  ip: string;
  user_agent: string;
}

/** How often something was done in a window of time. */
export interface LimitRow {
  /** Keyed hash of what is limited and whom: no address or name is stored. */
  key: string;
  count: number;
  resets_at: number;
}

/** Guesses at a password since the last right one. */
export interface SignInThrottleRow {
  /** Keyed hash of the name, with the device where the account knows it. */
  key: string;
  /** None where nobody has that name. */
  user_id: string | null;
  failures: number;
  /** Before it, nothing is evaluated. */
  next_at: number;
  updated_at: number;
}
