/** Requests for chats. Separate from the answers, so that the browser does not load the validation of requests. */

import * as z from "zod/mini";
import { CHAT_PAGE_MAX, CHAT_TITLE_MAX, CHATS_AT_ONCE } from "../limits.ts";
import { effortSchema } from "../models/effort.ts";
import { nameText } from "../text/name-text.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { instructionsField, newToolGroups } from "./preset-calls.ts";

const only = z.optional(z.literal("true"));

/**
 * Query of the chat history. Newest activity first, up to `CHATS_LISTED_MAX`, without archived chats. A flag selects
 * chats that are pinned, archived (pinned or not) or in a folder. With `limit` the answer is one page, and `before` is
 * the last id of the page before.
 */
export const chatHistoryQuerySchema = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(CHAT_PAGE_MAX))),
  before: z.optional(looseText(64)),
  pinned: only,
  archived: only,
  folder: z.optional(looseText(64)),
});
/** An id of any form: a malformed one is answered with "not found", like an unknown one. */
export const chatParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

const isSomething = (change: object) => Object.values(change).some((value) => value !== undefined);

/** Fields that one chat and a batch have in common. `folderId: null` removes the chat from its folder. */
const locationChange = {
  isPinned: z.optional(z.boolean()),
  isArchived: z.optional(z.boolean()),
  folderId: z.optional(z.nullable(looseText(64))),
};

/**
 * Instructions, preset, effort and tools of a chat. `presetId: null` is no preset; empty `instructions` are none.
 * `effort: null` is that of the preset, else the model's default; `tools: null` are those of the preset, else none.
 */
const guidanceChange = {
  presetId: z.optional(z.nullable(looseText(64))),
  instructions: z.optional(instructionsField()),
  effort: z.optional(z.nullable(effortSchema)),
  tools: z.optional(z.nullable(newToolGroups())),
};

/** Initial values of a new chat. */
export const newChatSchema = z.object({ ...guidanceChange, folderId: z.optional(z.nullable(looseText(64))) });
export type NewChat = z.infer<typeof newChatSchema>;

/**
 * Changes of a chat, at least one. `isUnread: false` marks the newest reply as read. `isLatest: true` reports
 * that there is a draft in a chat without messages: at the first report the chat moves to the top of the history, and is
 * not removed as an unused one after a day. Any other chat stays in its position.
 */
export const chatChangeSchema = z
  .object({
    ...locationChange,
    ...guidanceChange,
    title: z.optional(nameText(CHAT_TITLE_MAX)),
    isUnread: z.optional(z.literal(false)),
    isLatest: z.optional(z.literal(true)),
  })
  .check(z.refine(isSomething));
export type ChatChange = z.infer<typeof chatChangeSchema>;

/** One change for several chats. `isDeleted: false` undoes deletions not older than `UNDO_LIFE_MS`. */
export const chatBatchSchema = z.object({
  ids: z.array(looseText(64)).check(z.minLength(1), z.maxLength(CHATS_AT_ONCE)),
  change: z.object({ ...locationChange, isDeleted: z.optional(z.boolean()) }).check(z.refine(isSomething)),
});
export type ChatBatch = z.infer<typeof chatBatchSchema>;
