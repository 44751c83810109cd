import * as z from "zod/mini";
import { CHATS_AT_ONCE, CHATS_LISTED_MAX } from "./limits.ts";

/** Where its person has put a chat; only what is so. A folder that is not there any more counts as none. */
export const chatLocationSchema = z.object({
  isPinned: z.optional(z.boolean()),
  isArchived: z.optional(z.boolean()),
  folderId: z.optional(z.string()),
});
export type ChatLocation = z.infer<typeof chatLocationSchema>;

/** `isUntitled`: the chat has no title of its own; `title` is `NEW_CHAT_TITLE` then, for clients that show it as it is. */
export const untitled = { isUntitled: z.optional(z.boolean()) };

/**
 * A line of the history. `updatedAt`: last activity, ms since 1970. `isWriting`: a reply is being written in it;
 * `isUnread`: one has ended that nobody has looked at; `isUntitled`: see `untitled`.
 */
export const chatListItemSchema = z.extend(chatLocationSchema, {
  id: z.string(),
  title: z.string(),
  updatedAt: z.number(),
  ...untitled,
  isWriting: z.optional(z.boolean()),
  isUnread: z.optional(z.boolean()),
});
export type ChatListItem = z.infer<typeof chatListItemSchema>;

export const chatHistorySchema = z.array(chatListItemSchema).check(z.maxLength(CHATS_LISTED_MAX));

/** Ids of the chats that are now another way than before. */
export const chatBatchAnswerSchema = z.object({
  changed: z.array(z.string()).check(z.maxLength(CHATS_AT_ONCE)),
});
export type ChatBatchAnswer = z.infer<typeof chatBatchAnswerSchema>;

/** A chat's title before its first message. */
export const NEW_CHAT_TITLE = "New chat";
