import * as z from "zod/mini";
import { chatPlaceSchema } from "./chats.ts";
import { MESSAGE_MAX } from "./limits.ts";
import { chatGuidanceSchema } from "./presets.ts";
import { rule } from "./validation.ts";
import { looseText } from "./well-formed.ts";

export const roleSchema = z.enum(["user", "assistant"]);
export type Role = z.infer<typeof roleSchema>;

/**
 * `writing`: still growing; `complete`; `stopped`: by the person; `failed`: by the provider, words kept;
 * `interrupted`: our process died.
 */
export const messageStateSchema = z.enum(["writing", "complete", "stopped", "failed", "interrupted"]);
export type MessageState = z.infer<typeof messageStateSchema>;

export const messageSchema = z.object({
  id: z.string(),
  role: roleSchema,
  content: z.string(),
  state: messageStateSchema,
  /** The message that this one follows; none at the start of a chat. */
  parent: z.nullable(z.string()),
  /** Value of the model that wrote it, e.g. `GPT:gpt-5-mini`; none for a person's message. */
  model: z.nullable(z.string()),
  /** ms since 1970 */
  createdAt: z.number(),
  /** Why a reply failed: a code of `errors.ts`. */
  code: z.optional(z.string()),
  /** Where a reply was continued after a break: lengths of its text (UTF-16 units), ascending. */
  seams: z.optional(z.array(z.number())),
  /** The model stopped at its own limit of length. */
  isTruncated: z.optional(z.boolean()),
  /** Interrupted by the server itself, a moment ago: goes on by itself as soon as a reader joins it. */
  resumes: z.optional(z.boolean()),
  /** Ids of what stands at the same place in the tree, by creation, its own included; only where there is more than one. */
  alternatives: z.optional(z.array(z.string())),
});
export type Message = z.infer<typeof messageSchema>;

/** A chat with the messages of its chosen branch, oldest first. */
export const chatSchema = z.extend(chatPlaceSchema, {
  ...chatGuidanceSchema.shape,
  id: z.string(),
  title: z.string(),
  updatedAt: z.number(),
  messages: z.array(messageSchema),
});
export type Chat = z.infer<typeof chatSchema>;

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
