/**
 * The events of `GET /events`: what changes in an account, for every tab and device. Each is one `data:` line and tells
 * how a chat is now, not what was done to it, so that missing some or hearing one twice does no harm. An empty `data:`
 * is a sign of life.
 */

import * as z from "zod/mini";
import { chatListItemSchema } from "./chats.ts";
import { folderListSchema } from "./folders.ts";
import { chatGuidanceSchema, presetListSchema } from "./presets.ts";

/** Position in the account's changes; to be given back as `from` to hear what comes after it. */
const at = z.number().check(z.int(), z.minimum(0));

/** First event: everything up to `at` is known or follows; with `isReset` the reader reads all anew. */
export const eventsStartSchema = z.object({ at, isReset: z.boolean() });
export type EventsStart = z.infer<typeof eventsStartSchema>;

/** `leaf`: last message of the shown branch; `replyId`: the reply that is being written. */
export const chatChangedSchema = z.object({
  at,
  chat: z.extend(chatListItemSchema, {
    ...chatGuidanceSchema.shape,
    leaf: z.nullable(z.string()),
    replyId: z.nullable(z.string()),
  }),
});
export type ChatChanged = z.infer<typeof chatChangedSchema>;

export const chatDeletedSchema = z.object({ at, deleted: z.string() });
export type ChatDeleted = z.infer<typeof chatDeletedSchema>;

/** All presets of the account, in their order. */
export const presetsChangedSchema = z.object({ at, presets: presetListSchema });
export type PresetsChanged = z.infer<typeof presetsChangedSchema>;

/** What every model is told in each chat of the account: changed by whichever session. */
export const instructionsChangedSchema = z.object({ at, instructions: z.string() });
export type InstructionsChanged = z.infer<typeof instructionsChangedSchema>;

/** The account's folders, all of them; chats of one that has gone count as in none. */
export const foldersChangedSchema = z.object({ at, folders: folderListSchema });
export type FoldersChanged = z.infer<typeof foldersChangedSchema>;

export const accountEventSchema = z.union([
  eventsStartSchema,
  chatChangedSchema,
  chatDeletedSchema,
  presetsChangedSchema,
  instructionsChangedSchema,
  foldersChangedSchema,
]);
export type AccountEvent = z.infer<typeof accountEventSchema>;
/** What has changed, of whatever kind. */
export type AccountChange = Exclude<AccountEvent, EventsStart>;

export const eventsQuerySchema = z.object({ from: z.optional(z.coerce.number().check(z.int(), z.minimum(0))) });
