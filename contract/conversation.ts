import * as z from "zod/mini";
import { chatLocationSchema, untitled } from "./chats.ts";
import { chatGuidanceSchema } from "./presets.ts";

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
export const chatSchema = z.extend(chatLocationSchema, {
  ...chatGuidanceSchema.shape,
  id: z.string(),
  title: z.string(),
  ...untitled,
  updatedAt: z.number(),
  messages: z.array(messageSchema),
});
export type Chat = z.infer<typeof chatSchema>;
