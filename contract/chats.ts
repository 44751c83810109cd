import * as z from "zod/mini";
import { CHAT_PAGE_MAX } from "./limits.ts";
import { looseText, wellFormed } from "./well-formed.ts";

/**
 * A line of the history. `updatedAt`: last activity, ms since 1970. `isWriting`: a reply is being written in it;
 * `isUnread`: one has ended that nobody has looked at.
 */
export const chatListItemSchema = z.object({
  id: z.string(),
  title: z.string(),
  updatedAt: z.number(),
  isWriting: z.optional(z.boolean()),
  isUnread: z.optional(z.boolean()),
});
export type ChatListItem = z.infer<typeof chatListItemSchema>;

/** The whole history, newest activity first; with `limit`, one page of it, `before` being the last id already seen. */
export const chatHistoryQuerySchema = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(CHAT_PAGE_MAX))),
  before: z.optional(looseText(64)),
});
export const chatHistorySchema = z.array(chatListItemSchema);

/** An id of any form: one that nothing has is not found, whatever it looks like. */
export const chatParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

/** Somebody has looked at the newest reply. */
export const chatChangeSchema = z.object({ isUnread: z.literal(false) });
export type ChatChange = z.infer<typeof chatChangeSchema>;

/** A chat's title before its first message. */
export const NEW_CHAT_TITLE = "New chat";
