/** Rows of MCP servers, as `schema.ts` describes the others. Servers of `MCP_FILE` have no rows in `mcp_servers`. */

/** A server that an owner or a person has added. */
export interface McpServerRow {
  id: string;
  /** The person whose server it is; null: an owner has added it for others. */
  user_id: string | null;
  /** Slug of its group of tools; unique among the servers of the installation or of the person, never changed. */
  slug: string;
  name: string;
  url: string;
  /** JSON of the headers of each request, by `SecretCipher`; null: none. */
  headers_encrypted: string | null;
  /** JSON array of ids of the groups whose members may use it; null: everybody. Of a person's server: null. */
  groups: string | null;
  /** 1: what its tools state about themselves is believed. */
  is_trusted: number;
  is_enabled: number;
  /** JSON array of the names of the tools that are offered; null: all. */
  chosen_tools: string | null;
  created_at: number;
  updated_at: number;
}

/** What a server was last found to be, for everybody or, if it asks for a sign-in, for one person. */
export interface McpServerStateRow {
  /** Key of the server: the id of its row, or `file:` and the slug. */
  server: string;
  /** Empty: for everybody. */
  user_id: string;
  /** JSON of the revision of the protocol that it speaks; null: not known. */
  era: string | null;
  era_at: number | null;
  /** JSON array of `StoredTool` of `mcp/`; null: never listed. */
  tools: string | null;
  listed_at: number | null;
  /** Code of the last failure; null: it answered. */
  failure: string | null;
  failed_at: number | null;
  /** 1: it has asked for a sign-in. */
  needs_sign_in: number;
}

/** A person's tokens at a server. */
export interface McpTokenRow {
  id: string;
  /** Key of the server. */
  server: string;
  user_id: string;
  /** Of the authorisation server that issued them. */
  issuer: string;
  /** JSON by `SecretCipher`. */
  tokens_encrypted: string;
  /** A process that refreshes them may do so until then; null: none does. */
  refreshing_until: number | null;
  created_at: number;
  updated_at: number;
}

/** This installation as a client of an authorisation server, where it had to register. */
export interface McpClientRow {
  id: string;
  issuer: string;
  /** JSON by `SecretCipher`. */
  client_encrypted: string;
  created_at: number;
}

/** A sign-in to a server that a person has begun in a session. */
export interface McpAttemptRow {
  /** SHA-256 of its `state`. */
  hash: string;
  session_id: string;
  user_id: string;
  /** Key of the server. */
  server: string;
  /** JSON by `SecretCipher`. */
  body_encrypted: string;
  expires_at: number;
}

/** Calls of a server on a day (UTC), of all accounts. */
export interface McpCallCountRow {
  server: string;
  /** Days since 1970. */
  day: number;
  calls: number;
  failures: number;
}

/** The resumption of a call after a question or with a task; deleted when the answer ends. */
export interface ToolResumptionRow {
  message_id: string;
  /** Of the call. */
  seq: number;
  /** JSON of a `CallResumption`. */
  body: string;
}
