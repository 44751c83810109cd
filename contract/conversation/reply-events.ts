/**
 * Events of a reply's stream, each sent as one `data:` line: first {@link ReplyStart} (again, from position 0, if the
 * text has become reasoning), then {@link ReplyWriter}s,
 * {@link ReplyToken}s, {@link ReplySeam}s, {@link ReplyPart}s and {@link ReplyThought}s, at most one
 * {@link ReplyFailure}, and last the plain text `[DONE]`. An empty `data:` is a heartbeat. Events of writers and parts
 * have none of the keys that the specification's reader takes for text or an error.
 */

import * as z from "zod/mini";
import { waitField } from "../times.ts";
import { messagePartSchema } from "./parts.ts";

/**
 * `at`: length in UTF-16 units of the text that the client has and may keep. It is less than requested if a crash lost
 * the last words; the client then discards its text beyond `at`. `run`: sent back by the client when it resumes.
 * `rev`: the revision of the parts that the client has and may keep; 0: it discards all of its parts.
 */
export const replyStartSchema = z.object({
  reply: z.string(),
  at: z.number(),
  run: z.number(),
  rev: z.optional(z.number()),
});
export type ReplyStart = z.infer<typeof replyStartSchema>;

/**
 * `writer`: value of the model that writes the reply, e.g. `GPT:gpt-5-mini`. Sent before its first output, to readers
 * that join later, and again when another model continues the reply. An ended reply has no such event: its message names
 * the model.
 */
export const replyWriterSchema = z.object({ writer: z.string() });
export type ReplyWriter = z.infer<typeof replyWriterSchema>;

/** `at`: length in UTF-16 units of the reply's text including this token. */
export const replyTokenSchema = z.object({ token: z.string(), at: z.number() });
export type ReplyToken = z.infer<typeof replyTokenSchema>;

/** Marks that the text from this position (UTF-16 units) is a continuation: after a break, or by another model. */
export const replySeamSchema = z.object({ seam: z.number() });
export type ReplySeam = z.infer<typeof replySeamSchema>;

/**
 * A part that is new or has changed, as it is now. `rev`: the reply's revision with this change. Reasoning has no `text`
 * here: it comes as {@link ReplyThought}s, after a first event of the part and, once it has ended, before a last one with
 * `durationMs`.
 */
export const replyPartSchema = z.object({ part: z.extend(messagePartSchema, { rev: z.number() }) });
export type ReplyPart = z.infer<typeof replyPartSchema>;

/** Reasoning of the part `seq`. `length`: its length in UTF-16 units including this piece. */
export const replyThoughtSchema = z.object({ thought: z.string(), seq: z.number(), length: z.number() });
export type ReplyThought = z.infer<typeof replyThoughtSchema>;

/**
 * `retryAfterMs`: the provider has asked for this wait before another attempt. Only the readers of the running reply
 * receive it ([decision 71](../docs/decisions/0071-a-failed-answer-is-repeated-by-the-page-that-asked.md)).
 */
export const replyFailureSchema = z.object({
  error: z.string(),
  code: z.string(),
  retryAfterMs: z.optional(waitField()),
});
export type ReplyFailure = z.infer<typeof replyFailureSchema>;

export const REPLY_DONE = "[DONE]";
