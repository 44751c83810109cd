/** What an account stores, against its quotas. */

import * as z from "zod/mini";

/** Chats that are named among the largest. */
export const LARGEST_CHATS = 5;

/** Sizes in bytes of the export form: a message's text as JSON in UTF-8, with 300 bytes for its other fields. */
export const storageSchema = z.object({
  /** All chats, with deleted ones until they are removed for good, about an hour later. */
  bytes: z.number(),
  /** What the account may store. */
  maxBytes: z.number(),
  /** What one chat may hold. */
  maxChatBytes: z.number(),
  /** The largest chats, the largest first; none that is empty or deleted. */
  largest: z
    .array(z.object({ id: z.string(), title: z.string(), bytes: z.number() }))
    .check(z.maxLength(LARGEST_CHATS)),
});
export type Storage = z.infer<typeof storageSchema>;
