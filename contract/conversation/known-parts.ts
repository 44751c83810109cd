/** The kinds of parts that this version knows. Separate from `parts.ts`, because the chat page loads them on first use. */

import * as z from "zod/mini";
import { fileFacts } from "../files/files.ts";
import { type MessagePart, partAnchor } from "./parts.ts";

/**
 * The model's reasoning before the text at `at`. `durationMs` is absent while it grows, and if the process died
 * meanwhile.
 */
export const reasoningPartSchema = z.object({
  ...partAnchor,
  kind: z.literal("reasoning"),
  text: z.string(),
  durationMs: z.optional(z.number()),
});
export type ReasoningPart = z.infer<typeof reasoningPartSchema>;

/** An attached file. */
export const filePartSchema = z.object({ ...partAnchor, kind: z.literal("file"), ...fileFacts });
export type FilePart = z.infer<typeof filePartSchema>;

/**
 * - `cut`: the model did not receive the oldest `messages` messages of the branch, because its window is too small.
 * - `model`: `model` (a value) answers or continues instead of `instead`, which failed.
 * - `effort`: the model had no effort `asked`; it used `used`. Only in replies of earlier versions.
 * - `file`: the model did not receive the file `file` (an id) called `name` whole. `received`: `none`; `text`: its text
 *   without its pictures; `part`: a part of its text. `reason`, if there is one: `refused`, the provider `by` (its name,
 *   or the value of a local model) refused the file; `animated`, it accepts no animated pictures; `no-pictures`, it has refused any picture. Further
 *   replies by the model have no notice of files of older questions.
 * - `files`: the model did not receive `files` files of older questions whole. `names`: those of the newest 20.
 * - `budget-low`: `percent` of a month's budget are spent. `budget`: the one of the `account`, or of its `group`. Once a
 *   month.
 * - `server-cut`: the server of the model has read only `received` of at least `sent` tokens: its own window is smaller
 *   than known here, and it cut the prompt without an error.
 * - `no-tool-run`: the text before has what looks like a call of a tool, and none has run.
 * - `picture`: a picture of the answer is not here, for the `reason` (a {@link PictureLoss}).
 */
export const noticeCodeSchema = z.enum([
  "cut",
  "model",
  "effort",
  "file",
  "files",
  "budget-low",
  "server-cut",
  "no-tool-run",
  "picture",
]);
export type NoticeCode = z.infer<typeof noticeCodeSchema>;

/**
 * Why a picture of an answer was not stored. `quota`: the account has no room left; `large`: too many bytes or pixels;
 * `many`: more than a message may have; `unreadable`: no picture of a known format; `off`: the server takes no files;
 * `temporary`: nothing of the chat is stored; `failed`: it could not be stored now.
 */
export const pictureLosses = ["quota", "large", "many", "unreadable", "off", "temporary", "failed"] as const;
export type PictureLoss = (typeof pictureLosses)[number];

/** Names in a notice `files`. */
export const NOTICE_NAMES_MAX = 20;

/** A remark of the server about how the text after `at` was written. */
export const noticePartSchema = z.object({
  ...partAnchor,
  kind: z.literal("notice"),
  code: noticeCodeSchema,
  // Not `z.record`, whose code would be loaded with every page.
  params: z.catchall(z.object({}), z.union([z.string(), z.number()])),
});
export type NoticePart = z.infer<typeof noticePartSchema>;

/** The kinds of parts; a further kind is added here. */
export const partKinds = { reasoning: reasoningPartSchema, file: filePartSchema, notice: noticePartSchema } as const;

export const knownPartSchema = z.discriminatedUnion("kind", [partKinds.reasoning, partKinds.file, partKinds.notice]);
export type KnownPart = z.infer<typeof knownPartSchema>;

/** Returns a part of a known kind; undefined for other kinds, and for an invalid body. */
export function toKnownPart(part: MessagePart): KnownPart | undefined {
  const parsed = knownPartSchema.safeParse(part);
  return parsed.success ? parsed.data : undefined;
}
