import * as z from "zod/mini";
import { SEARCH_MAX, SEARCH_PAGE_MAX } from "../limits.ts";
import { looseText } from "../text/well-formed.ts";
import { timeField, timeInQuery } from "../times.ts";
import { roleSchema } from "./conversation.ts";

/**
 * Query over the account's own messages, attached files and titles. Every word of `q` must match the beginning of a word; in scripts
 * without spaces it matches anywhere. An empty `q` finds nothing. `from` and `to` (Unix time in ms, inclusive) bound
 * the time of the message, also of the one that names the file; `model` is a model's value; `before` is the `next` of the page before.
 */
export const searchQuerySchema = z.object({
  q: z.optional(looseText(SEARCH_MAX)),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(SEARCH_PAGE_MAX))),
  before: z.optional(z.string().check(z.regex(/^\d{1,15}(\.\d{1,15}){4}$/))),
  folder: z.optional(looseText(64)),
  from: z.optional(timeInQuery()),
  to: z.optional(timeInQuery()),
  model: z.optional(looseText(200)),
  role: z.optional(roleSchema),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/** An attached file that was found by its name or its readable text. `marks`: matches in the name. */
export const foundFileSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Media type. */
  type: z.string(),
  marks: z.array(z.tuple([z.number(), z.number()])),
});

/**
 * A message, or with `file` a file that it names, of whose text the snippet then is; if `messageId` is null a chat found
 * by its title, which then is the snippet.
 */
export const searchHitSchema = z.object({
  chatId: z.string(),
  title: z.string(),
  messageId: z.nullable(z.string()),
  role: z.nullable(roleSchema),
  model: z.nullable(z.string()),
  /** Unix time in ms. */
  at: timeField(),
  /**
   * Plain text around the matches: of an answer without its Markdown syntax, of a question without the signs of code.
   * Of a file that was found by its name the beginning, empty if the file has no readable text. Runs of white space become one space; `…` marks a cut.
   */
  snippet: z.string(),
  /** Matches in the snippet: start and end in UTF-16 units, ascending. */
  marks: z.array(z.tuple([z.number(), z.number()])),
  file: z.optional(foundFileSchema),
  isArchived: z.optional(z.boolean()),
  folderId: z.optional(z.string()),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

/**
 * The best matches among the newest. `next` is passed as `before` for the next page, or null at the end. A page has
 * fewer hits than requested, or none, if searching on would take too long.
 */
export const searchResultSchema = z.object({
  hits: z.array(searchHitSchema).check(z.maxLength(SEARCH_PAGE_MAX)),
  next: z.nullable(z.string()),
});
export type SearchResult = z.infer<typeof searchResultSchema>;
