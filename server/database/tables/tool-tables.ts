/** Rows of calls of tools, as `schema.ts` describes the others. */

/** What a provider must receive back unchanged during the answer of a message; deleted when the answer ends. */
export interface ProviderTurnRow {
  message_id: string;
  /** Round of calls of the reply, from 0. */
  step: number;
  /** Value of the model. */
  model: string;
  /** JSON of a `ProviderTurn`. */
  body: string;
}

/** A person's decision that a tool needs no further approval. It ends with a change of the tool's schema. */
export interface ToolApprovalRow {
  id: string;
  user_id: string;
  /** Null: in all chats. */
  chat_id: string | null;
  server: string;
  name: string;
  schema_digest: string;
  created_at: number;
}
