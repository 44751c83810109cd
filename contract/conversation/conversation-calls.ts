/**
 * Requests and answers of a conversation. Separate from schemas that the browser validates, which loads none of these.
 */

import * as z from "zod/mini";
import { fileIdSchema } from "../files/files.ts";
import { FILES_PER_MESSAGE_MAX, MESSAGE_MAX, PARTS_MAX } from "../limits.ts";
import { rule } from "../text/validation.ts";
import { looseText } from "../text/well-formed.ts";
import { timeField } from "../times.ts";
import { messageSchema, roleSchema } from "./conversation.ts";
import { messagePartSchema } from "./parts.ts";

/** All messages of a chat, on all branches, by creation. `leaf`: the last message of the selected branch. */
export const chatTreeSchema = z.object({
  id: z.string(),
  title: z.string(),
  updatedAt: timeField(),
  leaf: z.nullable(z.string()),
  messages: z.array(messageSchema),
});
export type ChatTree = z.infer<typeof chatTreeSchema>;

/** Selects the branch through this message, down to the newest message at each level. */
export const branchChoiceSchema = z.object({ message: looseText(64) });

/** A text that may be empty, because files are sent with it. */
export const fileMessageSchema = z
  .string({ error: rule("required") })
  .check(z.maxLength(MESSAGE_MAX, { error: rule("max", MESSAGE_MAX) }));

export const sendSchema = z
  .object({
    /** Empty only if there are files. */
    message: fileMessageSchema,
    /** Ids of uploaded files, in the order in which they are shown. */
    files: z.optional(z.array(fileIdSchema).check(z.maxLength(FILES_PER_MESSAGE_MAX))),
    /** Value of a model; absent or `auto` is automatic choice. */
    model: z.optional(z.string().check(z.maxLength(200))),
    /**
     * Id of the last message that the client has (`null` in an empty chat). If absent, the server does not check it.
     */
    parent: z.optional(z.nullable(looseText(64))),
    /**
     * Adds the message after `parent`, anywhere in the tree (`null`: at the start), as a sibling of the messages that
     * follow there.
     */
    branch: z.optional(z.boolean()),
  })
  .check(
    z.refine(({ branch, parent }) => !branch || parent !== undefined, { path: ["parent"], error: rule("required") }),
    z.refine(({ message, files = [] }) => message.trim() !== "" || files.length > 0, {
      path: ["message"],
      error: rule("required"),
    }),
    z.refine(({ files = [] }) => new Set(files).size === files.length, { path: ["files"], error: rule("invalid") }),
  );
export type SendRequest = z.infer<typeof sendSchema>;

/**
 * `retry` and `regenerate` answer the last question again, in a new branch. `continue` asks for the rest of the last
 * reply, whose text is not changed.
 */
export const replyRequestSchema = z
  .object({
    mode: z.enum(["retry", "continue", "regenerate"]),
    model: z.optional(z.string().check(z.maxLength(200))),
    /** Id of the last message that the client has. */
    parent: z.optional(looseText(64)),
    /** Id of a reply in the chat, or of its question, that is answered again instead of the last one. */
    of: z.optional(looseText(64)),
  })
  .check(z.refine(({ mode, of }) => mode !== "continue" || of === undefined, { path: ["of"], error: rule("invalid") }));
export type ReplyRequest = z.infer<typeof replyRequestSchema>;

export const sendQuerySchema = z.object({ stream: z.optional(z.string()) });

/**
 * Maximum size in bytes of a message to add: a text and reasoning of a million characters each, in a script with three
 * bytes a character.
 */
export const APPEND_BODY_MAX = 8 * 1024 * 1024;

/**
 * A message to add without an answer. `files`: ids of uploaded files of a question. Of `parts`, those
 * of files and those that an import would refuse are dropped.
 */
export const appendSchema = z
  .object({
    role: roleSchema,
    /** Empty only if there are files. */
    content: fileMessageSchema,
    /** Of an answer: value of the model that wrote it. */
    model: z.optional(looseText(200)),
    files: z.optional(z.array(fileIdSchema).check(z.maxLength(FILES_PER_MESSAGE_MAX))),
    parts: z.optional(z.array(messagePartSchema).check(z.maxLength(PARTS_MAX))),
  })
  .check(
    z.refine(({ content, files = [] }) => content.trim() !== "" || files.length > 0, {
      path: ["content"],
      error: rule("required"),
    }),
    z.refine(
      ({ role, files = [] }) => (role === "user" || files.length === 0) && new Set(files).size === files.length,
      {
        path: ["files"],
        error: rule("invalid"),
      },
    ),
  );
export type AppendRequest = z.infer<typeof appendSchema>;

/** A complete answer (not streamed). If the provider fails, `ai_response` is null and `error` is the error sentence. */
export const sendResponseSchema = z.object({
  user_message: messageSchema,
  ai_response: z.nullable(messageSchema),
  error: z.nullable(z.string()),
});
export type SendResponse = z.infer<typeof sendResponseSchema>;

const countInQuery = () => z.optional(z.coerce.number().check(z.int(), z.minimum(0)));

/**
 * `reply` and `from` (UTF-16 units received) resume a stream. Without them the stream of the current reply starts at 0.
 * `rev`: revision of the parts that the client has. `seq` and `length`: its last part of reasoning, and how much of it
 * the client has (UTF-16 units).
 */
export const replyQuerySchema = z.object({
  reply: z.optional(looseText(64)),
  from: countInQuery(),
  rev: countInQuery(),
  seq: countInQuery(),
  length: countInQuery(),
  /** The `run` of the start event that the client received. If absent, the client is assumed to have run 1 only. */
  run: z.optional(z.coerce.number().check(z.int(), z.minimum(1))),
});
