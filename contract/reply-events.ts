/**
 * The events of a reply's stream, each sent as one `data:` line: first {@link ReplyStart}, then {@link ReplyToken}s and
 * {@link ReplySeam}s, at most one {@link ReplyFailure}, and last the plain word `[DONE]`. An empty `data:` is a sign of life.
 */

import * as z from "zod/mini";

/**
 * `at`: length in UTF-16 units of the text that the reader is taken to have. Less than it asked for where its last words
 * were lost in a crash: what it has beyond `at` is not in the reply. `run`: to be given back when it resumes.
 */
export const replyStartSchema = z.object({ reply: z.string(), at: z.number(), run: z.number() });
export type ReplyStart = z.infer<typeof replyStartSchema>;

/** `at`: length in UTF-16 units of the reply's text, this piece included. */
export const replyTokenSchema = z.object({ token: z.string(), at: z.number() });
export type ReplyToken = z.infer<typeof replyTokenSchema>;

/** From here on (UTF-16 units of the reply's text) the words are a continuation: after a break, or by another model. */
export const replySeamSchema = z.object({ seam: z.number() });
export type ReplySeam = z.infer<typeof replySeamSchema>;

export const replyFailureSchema = z.object({ error: z.string(), code: z.string() });
export type ReplyFailure = z.infer<typeof replyFailureSchema>;

export const REPLY_DONE = "[DONE]";
