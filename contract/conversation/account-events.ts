/**
 * Events of `GET /events`: changes to an account, for all of its tabs and devices. Each is one `data:` line that holds
 * the current state of a chat, not the operation, so that events are idempotent and may be missed. An empty `data:` is
 * a heartbeat.
 */

import * as z from "zod/mini";
import { chatListItemSchema } from "./chats.ts";
import { folderListSchema } from "./folders.ts";
import { chatGuidanceSchema, presetListSchema } from "./presets.ts";

/** Sequence number of a change of the account. A client passes it as `from` to receive later changes. */
const at = z.number().check(z.int(), z.minimum(0));

/** First event. The client has all changes up to `at`, or receives them next; with `isReset` it reloads everything. */
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

/** All presets of the account, in list order. */
export const presetsChangedSchema = z.object({ at, presets: presetListSchema });
export type PresetsChanged = z.infer<typeof presetsChangedSchema>;

/** The account's instructions for all models, changed by any session. */
export const instructionsChangedSchema = z.object({ at, instructions: z.string() });
export type InstructionsChanged = z.infer<typeof instructionsChangedSchema>;

/** All folders of the account. A chat whose folder was deleted counts as in none. */
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
/** Any change of an account. */
export type AccountChange = Exclude<AccountEvent, EventsStart>;

export const eventsQuerySchema = z.object({ from: z.optional(z.coerce.number().check(z.int(), z.minimum(0))) });
