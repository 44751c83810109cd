/** What the converters of other services' exports have in common: nodes of a file, their fates, and the chat that they become. */

import type { Role } from "../../conversation/conversation.ts";
import type { ToolState } from "../../conversation/known-parts.ts";
import type { ExportedChat, ImportService } from "../transfer.ts";

/**
 * Bytes of a file that a node names. `entry`: begins the name of an entry of the archive, without its folder; `base64`,
 * `text`: are in the export itself; null: the service does not export them.
 */
export type FileSource = { entry: string } | { base64: string } | { text: string } | null;

/** A file that a node names. `id`: by which messages name it, the same in each import of the same export. */
export type ForeignFile = { id: string; name: string; type: string; size: number; source: FileSource };

/**
 * Something that a node says. `tool`: a call, whose `result` may come in a later piece `result` with the same `call`.
 * `source`: a page that the text before it rests on. `name` of a file may be empty. `isContinuation`: the text goes on in
 * the same line as the text before it, as after a source in the middle of a sentence.
 */
export type Piece =
  | { kind: "text"; text: string; isContinuation?: boolean }
  | { kind: "reasoning"; text: string; durationMs?: number | undefined }
  | { kind: "tool"; name: string; call: string; arguments: string; state: ToolState; result?: string | undefined }
  | { kind: "result"; name: string; call: string; text: string; hasFailed: boolean }
  | { kind: "source"; url: string; title: string }
  | { kind: "file"; file: ForeignFile };

/**
 * A folder or a project of a service. `id`: by which chats name it; `name`: empty if the export does not say it;
 * `instructions`: for the models in its chats, of any length; `documents`: number of texts that it has beside its chats.
 */
export type ForeignFolder = { id: string; name: string; instructions: string; documents: number };

/** Why a node was not read. `unknown-kind`: a kind of content that no version has met; `broken`: not of the form of a node. */
export const unreadableReasons = ["broken", "unknown-kind"] as const;
export type UnreadableReason = (typeof unreadableReasons)[number];

/**
 * A node of a file, which is a message to its service. `isHidden`: the service does not show it. Without pieces it is
 * empty. `createdAt`: Unix time in ms. A node may be unreadable and still have what of it could be read.
 */
export type ForeignNode = {
  id: string;
  parent: string | null;
  role: Role;
  pieces: readonly Piece[];
  createdAt: number | null;
  model: string | null;
  isHidden?: boolean;
  unreadable?: UnreadableReason;
};

/**
 * What becomes of a node. `message`: a message, or its beginning; `part`: a part of the message before it: text,
 * reasoning, a call of a tool or its result; `file`: only files of a message; `hidden`: the service does not show it, or
 * it is empty.
 */
export const nodeFates = ["message", "part", "file", "hidden", "unreadable"] as const;
export type NodeFate = (typeof nodeFates)[number];

/** Number of the nodes of a chat with each fate: their sum is the number of its nodes. */
export type FateCounts = Record<NodeFate, number>;

/**
 * What a chat of another service becomes. `unreadable`: number of its nodes that were not read, by reason.
 * `instructions`: what the account had told the service about itself and the answers that it wants, of any length; they
 * are offered for the account's own, and are no part of the chat. `folderName`: of the chat's folder, if the chat says it.
 */
export type ConvertedChat = {
  chat: ExportedChat;
  folderName?: string;
  instructions?: string;
  fates: FateCounts;
  unreadable: Partial<Record<UnreadableReason, number>>;
  files: readonly ForeignFile[];
};

/** A chat of another service before its nodes are joined to messages. Times in Unix ms; `leaf`: id of its last shown node. */
export type ForeignChat = {
  id: string;
  title: string;
  createdAt: number | null;
  updatedAt: number | null;
  isPinned?: boolean;
  isArchived?: boolean;
  /** Id of a folder, by choice. */
  folder?: string | null;
  folderName?: string;
  leaf: string | null;
  nodes: readonly ForeignNode[];
};

/**
 * `fileIdOf`: returns the same UUID for the same key, and different ones for different keys. `now`: Unix time in ms, for
 * chats without any time.
 */
export type ConversionContext = { fileIdOf: (key: string) => string; now: number };

/** Converts the chats of one service. A new service is a converter more. */
export type Converter = {
  service: ImportService;
  /** Whether a value of a file's list of chats, or of the file itself, has the form of the service. */
  recognises(chat: unknown): boolean;
  /** Never throws for a chat that it recognises. @throws UnreadableChat for another value */
  convert(chat: unknown, context: ConversionContext): ConvertedChat;
  /** Returns the folders that a value of a file holds, which may be none of its chats; absent if the service exports none. */
  foldersIn?(value: unknown): ForeignFolder[];
};

/** An element of the list of chats that is not of the form of the service's chats. */
export class UnreadableChat extends Error {
  override readonly name = "UnreadableChat";
}
