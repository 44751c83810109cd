/** Rows of messages and of what belongs to them, as `schema.ts` describes the others. */

import type { MessageState, Role } from "#contract/conversation/conversation.ts";

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
  /** The process that writes the reply, or wrote it last. */
  owner: string | null;
  /**
   * Number of times that the reply was started or resumed. A writer of an earlier run has lost the reply and may not
   * store more.
   */
  run: number;
  /** The requested model; null for automatic choice. */
  requested_model: string | null;
  /** JSON: lengths of the text at which the reply was continued. */
  seams: string | null;
  /** 1: the model stopped at its output limit. */
  truncated: number;
  /** 1: it was resumed automatically once, after a restart. */
  resumed: number;
  /** 1: a request in another process asked to stop it. */
  stop_requested: number;
  /** Number of changes of its parts. */
  rev: number;
  /** JSON: the call that a running reply waits for, see `OpenCall`; null for the first call of a reply. */
  open_call: string | null;
}

/** A chunk of a reply that is being written; merged into the message at its end. */
export interface ReplyChunkRow {
  message_id: string;
  /** Start of the chunk, in UTF-16 units of the reply's text. */
  at: number;
  text: string;
}

/** A part of a message beside its text, as in `contract/conversation/parts.ts`. */
export interface MessagePartRow {
  message_id: string;
  /** Position among the parts of the message, from 0. */
  seq: number;
  /** Length of the text (UTF-16 units) at which the part stands. */
  at: number;
  kind: string;
  /** JSON object with the fields of its kind. */
  body: string;
  /** The run that wrote it. */
  run: number;
  /** The message's `rev` at its last change. */
  rev: number;
}

/** A chunk of reasoning that is growing; merged into its part at the end of the reasoning. */
export interface ReasoningChunkRow {
  message_id: string;
  /** The part. */
  seq: number;
  /** Start of the chunk, in UTF-16 units of the reasoning. */
  at: number;
  text: string;
}
