import * as z from "zod/mini";
import { PARTS_MAX } from "../limits.ts";
import { timeField } from "../times.ts";
import { chatLocationSchema, untitled } from "./chats.ts";
import { messagePartSchema } from "./parts.ts";
import { chatGuidanceSchema } from "./presets.ts";

export const roleSchema = z.enum(["user", "assistant"]);
export type Role = z.infer<typeof roleSchema>;

/**
 * `writing`: being streamed; `complete`; `stopped`: by the user; `failed`: by the provider, received text is stored;
 * `interrupted`: the server process died; `waiting`: for a person who decides on calls of tools, without a process.
 */
export const messageStateSchema = z.enum(["writing", "waiting", "complete", "stopped", "failed", "interrupted"]);
export type MessageState = z.infer<typeof messageStateSchema>;

export const messageSchema = z.object({
  id: z.string(),
  role: roleSchema,
  content: z.string(),
  state: messageStateSchema,
  /** The message that this one follows; null at the start of a chat. */
  parent: z.nullable(z.string()),
  /** Value of the model that wrote it, e.g. `GPT:gpt-5-mini`; null for a user's message. */
  model: z.nullable(z.string()),
  /** Unix time in ms. */
  createdAt: timeField(),
  /** Reason of a failure: an error code of `errors.ts`. */
  code: z.optional(z.string()),
  /** Positions at which a reply was continued after a break: lengths of its text (UTF-16 units), ascending. */
  seams: z.optional(z.array(z.number())),
  /** Ascending by `seq`; absent if there are none. */
  parts: z.optional(z.array(messagePartSchema).check(z.maxLength(PARTS_MAX))),
  /** Number of changes of the parts so far, with which a client resumes a running reply; absent if there were none. */
  rev: z.optional(z.number()),
  /** The model stopped at its output limit. */
  isTruncated: z.optional(z.boolean()),
  /** Interrupted by the server itself a moment ago. The reply resumes when a client joins its stream. */
  resumes: z.optional(z.boolean()),
  /** Ids of its siblings in the tree, by creation, its own included; absent if it has none. */
  alternatives: z.optional(z.array(z.string())),
});
export type Message = z.infer<typeof messageSchema>;

/** A chat with the messages of its selected branch, oldest first. */
export const chatSchema = z.extend(chatLocationSchema, {
  ...chatGuidanceSchema.shape,
  id: z.string(),
  title: z.string(),
  ...untitled,
  updatedAt: timeField(),
  messages: z.array(messageSchema),
});
export type Chat = z.infer<typeof chatSchema>;
