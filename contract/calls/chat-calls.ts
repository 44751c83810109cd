/** What is asked of chats. Apart from what is answered, so that the browser need not load how requests are checked. */

import * as z from "zod/mini";
import { CHAT_PAGE_MAX, CHAT_TITLE_MAX, CHATS_AT_ONCE } from "../limits.ts";
import { nameText } from "../text/name-text.ts";
import { looseText, wellFormed } from "../text/well-formed.ts";
import { instructionsField } from "./preset-calls.ts";

const only = z.optional(z.literal("true"));

/**
 * The history without archived chats, newest activity first, whole up to `CHATS_LISTED_MAX`; only those that are pinned, archived (pinned or
 * not) or in a folder; with `limit`, one page, `before` being the last id already seen.
 */
export const chatHistoryQuerySchema = z.object({
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(CHAT_PAGE_MAX))),
  before: z.optional(looseText(64)),
  pinned: only,
  archived: only,
  folder: z.optional(looseText(64)),
});
/** An id of any form: one that nothing has is not found, whatever it looks like. */
export const chatParamsSchema = z.object({ id: z.string().check(z.overwrite(wellFormed)) });

const isSomething = (change: object) => Object.values(change).some((value) => value !== undefined);

/** What is put the same way for one chat and for many. `folderId: null` takes it out of its folder. */
const locationChange = {
  isPinned: z.optional(z.boolean()),
  isArchived: z.optional(z.boolean()),
  folderId: z.optional(z.nullable(looseText(64))),
};

/** What models are told in a chat. `presetId: null`: no preset; `instructions`: empty where there are none. */
const guidanceChange = {
  presetId: z.optional(z.nullable(looseText(64))),
  instructions: z.optional(instructionsField()),
};

/** What a new chat is born with. */
export const newChatSchema = z.object({ ...guidanceChange, folderId: z.optional(z.nullable(looseText(64))) });
export type NewChat = z.infer<typeof newChatSchema>;

/**
 * How a chat is to be, at least one thing. `isUnread: false`: somebody has looked at the newest reply. `isLatest: true`: a
 * chat without messages comes to the top of the history, as when it was made; any other stays where it is.
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

/** The same change of several chats. `isDeleted: false` undoes deletions that are not older than `UNDO_LIFE_MS`. */
export const chatBatchSchema = z.object({
  ids: z.array(looseText(64)).check(z.minLength(1), z.maxLength(CHATS_AT_ONCE)),
  change: z.object({ ...locationChange, isDeleted: z.optional(z.boolean()) }).check(z.refine(isSomething)),
});
export type ChatBatch = z.infer<typeof chatBatchSchema>;
