/** What the calls of a conversation take and answer, apart from what the browser checks of them: it loads none of this. */

import * as z from "zod/mini";
import { messageSchema, roleSchema } from "../conversation.ts";
import { MESSAGE_MAX } from "../limits.ts";
import { rule } from "../text/validation.ts";
import { looseText } from "../text/well-formed.ts";

/** All messages of a chat, whichever branch they are on, by creation; `leaf`: the last one of the chosen branch. */
export const chatTreeSchema = z.object({
  id: z.string(),
  title: z.string(),
  updatedAt: z.number(),
  leaf: z.nullable(z.string()),
  messages: z.array(messageSchema),
});
export type ChatTree = z.infer<typeof chatTreeSchema>;

/** The branch through this message becomes the chosen one, down to the newest message at each step. */
export const branchChoiceSchema = z.object({ message: looseText(64) });

export const messageTextSchema = z.string({ error: rule("required") }).check(
  z.refine((text) => text.trim() !== "", { error: rule("required") }),
  z.maxLength(MESSAGE_MAX, { error: rule("max", MESSAGE_MAX) }),
);

export const sendSchema = z
  .object({
    message: messageTextSchema,
    /** Value of a model; automatic choice where it is missing or `auto`. */
    model: z.optional(z.string().check(z.maxLength(200))),
    /** Id of the last message that the sender saw (`null` in an empty chat); told nothing, the server asks nothing. */
    parent: z.optional(z.nullable(looseText(64))),
    /** Puts the message after `parent`, wherever in the chat that is (`null`: at its start), beside what follows there. */
    branch: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ branch, parent }) => !branch || parent !== undefined, { path: ["parent"], error: rule("required") }),
  );
export type SendRequest = z.infer<typeof sendSchema>;

/**
 * `retry` and `regenerate` answer the last question anew, beside what is there; `continue` asks for the rest of the
 * last reply, whose text stays as it is.
 */
export const replyRequestSchema = z
  .object({
    mode: z.enum(["retry", "continue", "regenerate"]),
    model: z.optional(z.string().check(z.maxLength(200))),
    /** Id of the last message that the sender saw. */
    parent: z.optional(looseText(64)),
    /** Id of a reply of the chat, or of its question, that is answered anew in place of the last one. */
    of: z.optional(looseText(64)),
  })
  .check(z.refine(({ mode, of }) => mode !== "continue" || of === undefined, { path: ["of"], error: rule("invalid") }));
export type ReplyRequest = z.infer<typeof replyRequestSchema>;

export const sendQuerySchema = z.object({ stream: z.optional(z.string()) });

export const appendSchema = z.object({ role: roleSchema, content: messageTextSchema });

/** A whole (not streamed) answer. With a failed provider `ai_response` is null and `error` the sentence. */
export const sendResponseSchema = z.object({
  user_message: messageSchema,
  ai_response: z.nullable(messageSchema),
  error: z.nullable(z.string()),
});
export type SendResponse = z.infer<typeof sendResponseSchema>;

/** `reply` and `from` (UTF-16 units already had) resume; without them the reply being written comes from its start. */
export const replyQuerySchema = z.object({
  reply: z.optional(looseText(64)),
  from: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
  /** The `run` of the start that the reader was told; without it, it is taken to know the first run only. */
  run: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
});
