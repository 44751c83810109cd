/** Chats as a file that any program may read, and what taking such a file in answers. */

import * as z from "zod/mini";
import { messageStateSchema, roleSchema } from "./conversation.ts";
import {
  CHAT_TITLE_MAX,
  FOLDER_NAME_MAX,
  INSTRUCTIONS_MAX,
  MESSAGE_MAX,
  PRESET_NAME_MAX,
  TEMPERATURE_MAX,
} from "./limits.ts";
import { nameText } from "./text/name-text.ts";
import { wellFormed } from "./text/well-formed.ts";

export const EXPORT_FORMAT = "parley-export";
export const EXPORT_VERSION = 1;

/** Bytes of one import, UTF-8; a larger file is sent in several, of whole chats each. */
export const IMPORT_BODY_MAX = 16 * 1024 * 1024;
/** Chats of one import. */
export const IMPORT_CHATS_MAX = 1000;
/** Messages of one chat that is imported; longer ones, and those that fill more than one import, are `too-large`. */
export const IMPORT_MESSAGES_MAX = 50_000;

/** The last time that a date can be. */
const TIME_MAX = 8_640_000_000_000_000;
const TOKENS_MAX = 2 ** 31 - 1;
const SEAMS_MAX = 1000;
const FOLDERS_MAX = 1000;

const text = (max: number) => z.string().check(z.maxLength(max), z.overwrite(wellFormed));
/** An id within the file: it names something for the rest of the file, and nothing elsewhere. */
const fileId = () => z.string().check(z.minLength(1), z.maxLength(64), z.overwrite(wellFormed));
const time = () => z.int().check(z.minimum(0), z.maximum(TIME_MAX));
const tokens = () => z.int().check(z.minimum(0), z.maximum(TOKENS_MAX));
/** A model's value, such as `GPT:gpt-5-mini`. */
const model = () => text(200);

export const exportedMessageSchema = z.object({
  id: fileId(),
  /** The message that this one follows; none at the start of the chat. Several may follow the same one. */
  parent: z.nullable(fileId()),
  role: roleSchema,
  content: text(MESSAGE_MAX),
  state: messageStateSchema,
  /** What wrote it; none for a person's message. */
  model: z.nullable(model()),
  /** What was asked for; absent for automatic choice. */
  requestedModel: z.optional(model()),
  /** Why a reply failed. */
  code: z.optional(text(100)),
  /** Where a reply was continued after a break: lengths of its text (UTF-16 units), ascending. */
  seams: z.optional(z.array(z.int().check(z.minimum(0), z.maximum(MESSAGE_MAX))).check(z.maxLength(SEAMS_MAX))),
  /** The model stopped at its own limit of length. */
  isTruncated: z.optional(z.boolean()),
  inputTokens: z.optional(tokens()),
  outputTokens: z.optional(tokens()),
  /** ms since 1970 */
  createdAt: time(),
  endedAt: z.nullable(time()),
});
export type ExportedMessage = z.infer<typeof exportedMessageSchema>;

export const exportedChatSchema = z.object({
  id: fileId(),
  title: text(CHAT_TITLE_MAX),
  /** `default`: nobody gave it one; `question`: cut from it; `model`, `person`: who gave it. */
  titleOrigin: z.enum(["default", "question", "model", "person"]),
  /** ms since 1970 */
  createdAt: time(),
  /** Last activity. */
  updatedAt: time(),
  isPinned: z.boolean(),
  isArchived: z.boolean(),
  /** Id of a folder of the file. */
  folder: z.nullable(fileId()),
  /** What models are told in this chat; empty where there is nothing. */
  instructions: text(INSTRUCTIONS_MAX),
  /** Id of a preset of the file. */
  preset: z.nullable(fileId()),
  /** The last message of the branch that is shown; none in an empty chat. One that is not there: the newest end. */
  leaf: z.nullable(fileId()),
  /** All branches, by creation. */
  messages: z.array(exportedMessageSchema).check(z.maxLength(IMPORT_MESSAGES_MAX)),
});
export type ExportedChat = z.infer<typeof exportedChatSchema>;

/** As it is taken in: its messages are looked at part after part. */
export const importedChatSchema = z.extend(exportedChatSchema, {
  messages: z.array(z.unknown()).check(z.maxLength(IMPORT_MESSAGES_MAX)),
});

export const exportedFolderSchema = z.object({ id: fileId(), name: nameText(FOLDER_NAME_MAX) });
export type ExportedFolder = z.infer<typeof exportedFolderSchema>;

export const exportedPresetSchema = z.object({
  id: fileId(),
  name: nameText(PRESET_NAME_MAX),
  instructions: text(INSTRUCTIONS_MAX),
  /** None: chosen as without a preset. */
  model: z.nullable(model()),
  /** None: the model's own. */
  temperature: z.nullable(z.number().check(z.minimum(0), z.maximum(TEMPERATURE_MAX))),
});
export type ExportedPreset = z.infer<typeof exportedPresetSchema>;

const head = {
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  /** ms since 1970 */
  exportedAt: z.optional(time()),
  /** Name of what wrote it. */
  product: z.optional(text(200)),
  /** What holds for all chats; absent where single chats were exported. */
  account: z.optional(z.object({ instructions: text(INSTRUCTIONS_MAX) })),
  /** In their order. */
  folders: z.optional(z.array(exportedFolderSchema).check(z.maxLength(FOLDERS_MAX))),
  /** In their order. */
  presets: z.optional(z.array(exportedPresetSchema).check(z.maxLength(FOLDERS_MAX))),
};

/** A whole file. Readers pass over fields that they do not know. */
export const exportSchema = z.object({ ...head, chats: z.array(exportedChatSchema) });
export type ExportDocument = z.infer<typeof exportSchema>;

/** As it is taken in: each chat is looked at for itself, so that a broken one keeps no other out. */
export const importSchema = z.object({ ...head, chats: z.array(z.unknown()).check(z.maxLength(IMPORT_CHATS_MAX)) });
export type ImportRequest = z.infer<typeof importSchema>;

/** `broken`: not of this format; `tree`: its messages do not hang together; `too-large`; `quota`: more than the account
 * may store; `folder`, `preset`: no room for another one, its chats are in none. */
export const importReasonSchema = z.enum(["broken", "tree", "too-large", "quota", "folder", "preset"]);
export type ImportReason = z.infer<typeof importReasonSchema>;

export const importResultSchema = z.object({
  /** Chats that are new now. */
  imported: z.number(),
  /** Chats that were there already. */
  skipped: z.number(),
  /** Folders and presets that were made; those of the same name are taken as they are. */
  folders: z.number(),
  presets: z.number(),
  /** What was left out. `chat`: its title (or the name) where that can be read, else its place in the file (`#3`). */
  problems: z.array(z.object({ chat: z.string(), reason: importReasonSchema })),
});
export type ImportResult = z.infer<typeof importResultSchema>;

export const chatExportQuerySchema = z.object({ format: z.enum(["markdown", "json", "html"]) });
export type ChatExportFormat = z.infer<typeof chatExportQuerySchema>["format"];
