/** The export format of chats, which any program may read, and the answer to an import. */

import * as z from "zod/mini";
import { messageStateSchema, roleSchema } from "../conversation/conversation.ts";
import { messagePartSchema } from "../conversation/parts.ts";
import { toolGroupsField } from "../conversation/presets.ts";
import {
  CHAT_TITLE_MAX,
  FOLDER_NAME_MAX,
  INSTRUCTIONS_MAX,
  MESSAGE_MAX,
  PARTS_MAX,
  PRESET_NAME_MAX,
  TEMPERATURE_MAX,
} from "../limits.ts";
import { effortSchema } from "../models/effort.ts";
import { nameText } from "../text/name-text.ts";
import { rule } from "../text/validation.ts";
import { wellFormed } from "../text/well-formed.ts";
import { timeField } from "../times.ts";

export const EXPORT_FORMAT = "parley-export";
export const EXPORT_VERSION = 1;

/** Name of this document in the zip of an export with files. */
export const EXPORT_CHATS_ENTRY = "chats.json";
/** Folder of the files in that zip: `files/<id of the file>-<readable name>`. */
export const EXPORT_FILES_FOLDER = "files/";

/** Services whose exports can be imported, with their names. */
export const importServiceNames = {
  chatgpt: "ChatGPT",
  claude: "Claude",
  "open-webui": "Open WebUI",
  librechat: "LibreChat",
} as const;
export type ImportService = keyof typeof importServiceNames;

/** Maximum size of one import in bytes of UTF-8. A larger file is split into imports of whole chats. */
export const IMPORT_BODY_MAX = 16 * 1024 * 1024;
/** Maximum of chats in one import. */
export const IMPORT_CHATS_MAX = 1000;
/** Maximum of messages in an imported chat. Chats with more, or larger than one import, are `too-large`. */
export const IMPORT_MESSAGES_MAX = 50_000;

const TOKENS_MAX = 2 ** 31 - 1;
const ORIGIN_ID_MAX = 200;
const SEAMS_MAX = 1000;
const FOLDERS_MAX = 1000;

const text = (max: number) => z.string().check(z.maxLength(max), z.overwrite(wellFormed));
/** An id that is unique within the file only. */
const fileId = () => z.string().check(z.minLength(1), z.maxLength(64), z.overwrite(wellFormed));
const tokens = () => z.int().check(z.minimum(0), z.maximum(TOKENS_MAX));
/** A model's value, such as `GPT:gpt-5-mini`. */
const model = () => text(200);

export const exportedMessageSchema = z.object({
  id: fileId(),
  /** The message that this one follows; null at the start of the chat. Siblings have the same parent. */
  parent: z.nullable(fileId()),
  role: roleSchema,
  content: text(MESSAGE_MAX),
  state: messageStateSchema,
  /** The model that wrote it; null for a user's message. */
  model: z.nullable(model()),
  /** The requested model; absent for automatic choice. */
  requestedModel: z.optional(model()),
  /** Error code of a failed reply. */
  code: z.optional(text(100)),
  /** Positions at which a reply was continued after a break: lengths of its text (UTF-16 units), ascending. */
  seams: z.optional(z.array(z.int().check(z.minimum(0), z.maximum(MESSAGE_MAX))).check(z.maxLength(SEAMS_MAX))),
  /**
   * Parts beside the text, ascending by `seq`. Kinds that a version does not know are kept. Those of the kind `file` name
   * a file of the zip by its `id`, a UUID.
   */
  parts: z.optional(z.array(messagePartSchema).check(z.maxLength(PARTS_MAX))),
  /** The model stopped at its output limit. */
  isTruncated: z.optional(z.boolean()),
  inputTokens: z.optional(tokens()),
  outputTokens: z.optional(tokens()),
  /** Unix time in ms. */
  createdAt: timeField(),
  endedAt: z.nullable(timeField()),
});
export type ExportedMessage = z.infer<typeof exportedMessageSchema>;

/** The service from which a chat was imported, and the chat's id there. */
export const chatOriginSchema = z.object({
  service: z.enum(Object.keys(importServiceNames) as [ImportService]),
  id: z.string().check(z.minLength(1), z.maxLength(ORIGIN_ID_MAX), z.overwrite(wellFormed)),
});
export type ChatOrigin = z.infer<typeof chatOriginSchema>;

export const exportedChatSchema = z.object({
  id: fileId(),
  /** Absent: the chat began in this product. */
  origin: z.optional(chatOriginSchema),
  title: text(CHAT_TITLE_MAX),
  /** `default`: no title set; `question`: cut from the first question; `model`, `person`: written by. */
  titleOrigin: z.enum(["default", "question", "model", "person"]),
  /** Unix time in ms. */
  createdAt: timeField(),
  /** Last activity, Unix time in ms. */
  updatedAt: timeField(),
  isPinned: z.boolean(),
  isArchived: z.boolean(),
  /** Id of a folder in the file. */
  folder: z.nullable(fileId()),
  /** The chat's instructions for models; empty if none. */
  instructions: text(INSTRUCTIONS_MAX),
  /** Id of a preset in the file. */
  preset: z.nullable(fileId()),
  /** Effort of reasoning that was chosen last; absent if none was. */
  effort: z.optional(effortSchema),
  tools: z.optional(toolGroupsField()),
  /** The last message of the selected branch; null in an empty chat. An unknown id selects the newest message. */
  leaf: z.nullable(fileId()),
  /** Messages of all branches, by creation. */
  messages: z.array(exportedMessageSchema).check(z.maxLength(IMPORT_MESSAGES_MAX)),
});
export type ExportedChat = z.infer<typeof exportedChatSchema>;

/** A chat of an import. Its messages are validated in batches. */
export const importedChatSchema = z.extend(exportedChatSchema, {
  messages: z.array(z.unknown()).check(z.maxLength(IMPORT_MESSAGES_MAX)),
});

export const exportedFolderSchema = z.object({ id: fileId(), name: nameText(FOLDER_NAME_MAX) });
export type ExportedFolder = z.infer<typeof exportedFolderSchema>;

export const exportedPresetSchema = z.object({
  id: fileId(),
  name: nameText(PRESET_NAME_MAX),
  instructions: text(INSTRUCTIONS_MAX),
  /** Null: the choice without a preset. */
  model: z.nullable(model()),
  /** Null: the model's default. */
  temperature: z.nullable(z.number().check(z.minimum(0), z.maximum(TEMPERATURE_MAX))),
  /** Absent: the model's default. */
  effort: z.optional(effortSchema),
  tools: z.optional(toolGroupsField()),
});
export type ExportedPreset = z.infer<typeof exportedPresetSchema>;

const head = {
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  /** Unix time in ms. */
  exportedAt: z.optional(timeField()),
  /** Name of the program that wrote the file. */
  product: z.optional(text(200)),
  /** Settings of the account; absent if single chats were exported. */
  account: z.optional(z.object({ instructions: text(INSTRUCTIONS_MAX) })),
  /** In list order. */
  folders: z.optional(z.array(exportedFolderSchema).check(z.maxLength(FOLDERS_MAX))),
  /** In list order. */
  presets: z.optional(z.array(exportedPresetSchema).check(z.maxLength(FOLDERS_MAX))),
};

/** A whole file. Readers ignore unknown fields. */
export const exportSchema = z.object({ ...head, chats: z.array(exportedChatSchema) });
export type ExportDocument = z.infer<typeof exportSchema>;

/** An import. Chats are validated one by one, so that an invalid one does not block the others. */
export const importSchema = z.object({
  ...head,
  /**
   * Whether chats of other services that the account has imported and deleted are imported again; default `true`, because
   * our own exports restore what was deleted.
   */
  again: z.optional(z.boolean()),
  chats: z.array(z.unknown()).check(z.maxLength(IMPORT_CHATS_MAX)),
});
export type ImportRequest = z.infer<typeof importSchema>;

/**
 * `broken`: invalid; `tree`: its messages are no tree; `too-large`; `quota`: exceeds the account's storage quota;
 * `folder`, `preset`: the account has reached its maximum, chats are imported without it; `files`: the account does not
 * have all files that the chat names, which is imported without them, or exists already without them.
 */
export const importReasonSchema = z.enum(["broken", "tree", "too-large", "quota", "folder", "preset", "files"]);
export type ImportReason = z.infer<typeof importReasonSchema>;

/** `refused`: not imported; the reason is in `problems`. */
export const importOutcomeSchema = z.enum(["imported", "skipped", "deleted", "refused"]);
export type ImportOutcome = z.infer<typeof importOutcomeSchema>;

export const importResultSchema = z.object({
  /** Number of imported chats. */
  imported: z.number(),
  /** Number of chats that existed already. */
  skipped: z.number(),
  /** Number of chats of other services that the account has imported before and deleted since; they are not imported. */
  deleted: z.number(),
  /** What became of each chat of the request, in its order. */
  outcomes: z.array(importOutcomeSchema).check(z.maxLength(IMPORT_CHATS_MAX)),
  /** Number of new folders and presets; existing ones of the same name are reused. */
  folders: z.number(),
  presets: z.number(),
  /** Content that was not imported. `chat`: its title (or name) if readable, else its position in the file (`#3`). */
  problems: z.array(z.object({ chat: z.string(), reason: importReasonSchema })),
});
export type ImportResult = z.infer<typeof importResultSchema>;

/**
 * `message`: id of the only message in the file; not for JSON, which restores whole chats. `reasoning`: whether an HTML
 * or Word file contains the models' reasoning; default `false`.
 */
export const chatExportQuerySchema = z
  .object({
    format: z.enum(["markdown", "json", "html", "docx"]),
    message: z.optional(z.string().check(z.overwrite(wellFormed))),
    reasoning: z.optional(z.enum(["true", "false"])),
  })
  .check(
    z.refine(({ format, message }) => format !== "json" || message === undefined, {
      error: rule("invalid"),
      path: ["message"],
    }),
  );
export type ChatExportFormat = z.infer<typeof chatExportQuerySchema>["format"];
