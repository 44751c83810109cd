import * as z from "zod/mini";
import { roleSchema } from "./conversation.ts";
import { SEARCH_MAX, SEARCH_PAGE_MAX } from "./limits.ts";
import { looseText } from "./text/well-formed.ts";

const time = z.coerce.number().check(z.int(), z.minimum(0));

/**
 * What to search the account's own messages and titles for. Every word of `q` must be there, each as the beginning of a
 * word; scripts without spaces between words are found anywhere. Without a word nothing is found. `from` and `to` (ms
 * since 1970, both included) are about when a message came; `model` is a model's value; `before` is a page's `next`.
 */
export const searchQuerySchema = z.object({
  q: z.optional(looseText(SEARCH_MAX)),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(SEARCH_PAGE_MAX))),
  before: z.optional(z.string().check(z.regex(/^\d{1,15}(\.\d{1,15}){4}$/))),
  folder: z.optional(looseText(64)),
  from: z.optional(time),
  to: z.optional(time),
  model: z.optional(looseText(200)),
  role: z.optional(roleSchema),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/** A message, or with `messageId` null a chat by its title, which then is the snippet. */
export const searchHitSchema = z.object({
  chatId: z.string(),
  title: z.string(),
  messageId: z.nullable(z.string()),
  role: z.nullable(roleSchema),
  model: z.nullable(z.string()),
  /** ms since 1970 */
  at: z.number(),
  /** Plain text around the words, each run of white space as one space; `…` where it is cut. */
  snippet: z.string(),
  /** What was found: from and to in the snippet, in UTF-16 units, ascending. */
  marks: z.array(z.tuple([z.number(), z.number()])),
  isArchived: z.optional(z.boolean()),
  folderId: z.optional(z.string()),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/**
 * The best of the newest first; `next` to be given as `before` for more, `null` where there is no more. A page that would
 * take long has fewer hits than were asked for, or none.
 */
export const searchResultSchema = z.object({
  hits: z.array(searchHitSchema).check(z.maxLength(SEARCH_PAGE_MAX)),
  next: z.nullable(z.string()),
});
export type SearchResult = z.infer<typeof searchResultSchema>;
