import * as z from "zod/mini";
import { fileIdSchema } from "../files/files.ts";
import { FILES_PER_MESSAGE_MAX } from "../limits.ts";
import { effortSchema } from "../models/effort.ts";
import { rule } from "../text/validation.ts";
import { looseText } from "../text/well-formed.ts";
import { roleSchema } from "./conversation.ts";
import { fileMessageSchema } from "./conversation-calls.ts";
import { instructionsField, newToolGroups } from "./preset-calls.ts";

/** Longest name of a file in UTF-16 units; the server shortens it further. */
const FILE_NAME_MAX = 1000;

/**
 * A file of a question, whose bytes follow the request. `id`: chosen by the client, named by notices of the reply, and
 * unknown to the server after it. `size`: in bytes.
 */
export const temporaryFileSchema = z.object({
  id: fileIdSchema,
  name: looseText(FILE_NAME_MAX),
  size: z.int().check(z.minimum(0)),
});
export type TemporaryFile = z.infer<typeof temporaryFileSchema>;

const messageSchema = z
  .object({
    role: roleSchema,
    /** Empty only if there are files. */
    content: fileMessageSchema,
    /** Of a question, in the order in which they are shown. */
    files: z.optional(z.array(temporaryFileSchema).check(z.maxLength(FILES_PER_MESSAGE_MAX))),
    /** Groups of the tools whose calls in an answer have succeeded; absent: unknown. */
    called: z.optional(newToolGroups()),
  })
  .check(
    z.refine(({ content, files = [] }) => content.trim() !== "" || files.length > 0, {
      path: ["content"],
      error: rule("required"),
    }),
    z.refine(({ role, files = [] }) => role === "user" || files.length === 0, {
      path: ["files"],
      error: rule("invalid"),
    }),
  );

const messagesSchema = z
  .array(messageSchema)
  .check(
    z.minLength(1, { error: rule("required") }),
    z.refine(isFromQuestionToQuestion, { error: rule("invalid") }),
    z.refine(hasDistinctFiles, { error: rule("invalid") }),
  );

/** Longest request without the bytes of its files, in bytes of UTF-8: the limit of any JSON body. */
export const TEMPORARY_HEAD_MAX = 1024 * 1024;
/** Bytes of the length of the request that precedes it, a big-endian integer. */
export const TEMPORARY_LENGTH_BYTES = 4;

/**
 * A conversation that the server does not store, oldest message first: the first and last message are questions, and an
 * answer follows a question. Questions that have no answer follow each other, so that each message is one that was
 * typed, to which the limits of one message apply; models receive them joined. With files it is sent as `application/octet-stream`: the length of this JSON, the
 * JSON, then the bytes of the files in the order in which the messages name them.
 */
export const temporaryRequestSchema = z.object({
  messages: messagesSchema,
  /** Value of a model; absent or `auto` is automatic choice. */
  model: z.optional(z.string().check(z.maxLength(200))),
  /** Effort of reasoning; absent: as the preset has it, else the model. */
  effort: z.optional(effortSchema),
  /** Groups of tools; absent: those of the preset. */
  tools: z.optional(newToolGroups()),
  /** An unknown id counts as none. */
  presetId: z.optional(z.nullable(looseText(64))),
  /** Instructions for the models in this conversation. */
  instructions: z.optional(instructionsField()),
});
export type TemporaryRequest = z.infer<typeof temporaryRequestSchema>;
export type TemporaryMessage = TemporaryRequest["messages"][number];

function isFromQuestionToQuestion(messages: readonly Pick<TemporaryMessage, "role">[]): boolean {
  const isAnswer = (at: number) => messages.at(at)?.role === "assistant";
  return !isAnswer(0) && !isAnswer(-1) && messages.every((_, at) => at === 0 || !isAnswer(at - 1) || !isAnswer(at));
}

function hasDistinctFiles(messages: readonly { files?: readonly TemporaryFile[] | undefined }[]): boolean {
  const ids = messages.flatMap(({ files = [] }) => files.map(({ id }) => id));
  return new Set(ids).size === ids.length;
}
