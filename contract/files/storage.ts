/** Storage that an account uses, and its quotas. */

import * as z from "zod/mini";

/** Number of largest chats in the answer. */
export const LARGEST_CHATS = 5;

/** Sizes in bytes of the export format: a message's text as JSON in UTF-8, plus 300 bytes for its other fields. */
export const storageSchema = z.object({
  /** All chats, including deleted ones until they are removed for good, about an hour later. */
  bytes: z.number(),
  /** Quota of the account. */
  maxBytes: z.number(),
  /** Quota of one chat. */
  maxChatBytes: z.number(),
  /** The largest chats, largest first; without empty and deleted ones. */
  largest: z
    .array(z.object({ id: z.string(), title: z.string(), bytes: z.number() }))
    .check(z.maxLength(LARGEST_CHATS)),
});
export type Storage = z.infer<typeof storageSchema>;
