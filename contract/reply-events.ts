/**
 * Events of a reply's stream, each sent as one `data:` line: first {@link ReplyStart}, then {@link ReplyToken}s and
 * {@link ReplySeam}s, at most one {@link ReplyFailure}, and last the plain text `[DONE]`. An empty `data:` is a
 * heartbeat.
 */

import * as z from "zod/mini";

/**
 * `at`: length in UTF-16 units of the text that the client has and may keep. It is less than requested if a crash lost
 * the last words; the client then discards its text beyond `at`. `run`: sent back by the client when it resumes.
 */
export const replyStartSchema = z.object({ reply: z.string(), at: z.number(), run: z.number() });
export type ReplyStart = z.infer<typeof replyStartSchema>;

/** `at`: length in UTF-16 units of the reply's text including this token. */
export const replyTokenSchema = z.object({ token: z.string(), at: z.number() });
export type ReplyToken = z.infer<typeof replyTokenSchema>;

/** Marks that the text from this position (UTF-16 units) is a continuation: after a break, or by another model. */
export const replySeamSchema = z.object({ seam: z.number() });
export type ReplySeam = z.infer<typeof replySeamSchema>;

export const replyFailureSchema = z.object({ error: z.string(), code: z.string() });
export type ReplyFailure = z.infer<typeof replyFailureSchema>;

export const REPLY_DONE = "[DONE]";
