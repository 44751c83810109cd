import * as z from "zod/mini";
import { CHATS_AT_ONCE, CHATS_LISTED_MAX } from "../limits.ts";
import { timeField } from "../times.ts";

/** Folder, pin and archive state of a chat; only fields that are set. A deleted folder counts as none. */
export const chatLocationSchema = z.object({
  isPinned: z.optional(z.boolean()),
  isArchived: z.optional(z.boolean()),
  folderId: z.optional(z.string()),
});
export type ChatLocation = z.infer<typeof chatLocationSchema>;

/**
 * `isUntitled`: the chat has no title of its own. `title` is `NEW_CHAT_TITLE` then, for clients that show it unchanged.
 */
export const untitled = { isUntitled: z.optional(z.boolean()) };

/**
 * An entry of the history. `updatedAt`: last activity, Unix time in ms. `isWriting`: a reply is being streamed.
 * `isWaiting`: a reply waits for decisions on its calls of tools. `isUnread`: a reply has ended and is unread.
 * `isShared`: a link leads to a snapshot of it. `isUntitled`: see `untitled`.
 */
export const chatListItemSchema = z.extend(chatLocationSchema, {
  id: z.string(),
  title: z.string(),
  updatedAt: timeField(),
  ...untitled,
  isWriting: z.optional(z.boolean()),
  isWaiting: z.optional(z.boolean()),
  isUnread: z.optional(z.boolean()),
  isShared: z.optional(z.boolean()),
});
export type ChatListItem = z.infer<typeof chatListItemSchema>;

export const chatHistorySchema = z.array(chatListItemSchema).check(z.maxLength(CHATS_LISTED_MAX));

/** Ids of the chats that the batch changed. */
export const chatBatchAnswerSchema = z.object({
  changed: z.array(z.string()).check(z.maxLength(CHATS_AT_ONCE)),
});
export type ChatBatchAnswer = z.infer<typeof chatBatchAnswerSchema>;

/** Title of a chat before its first message. */
export const NEW_CHAT_TITLE = "New chat";
