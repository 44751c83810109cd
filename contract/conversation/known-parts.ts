/** The kinds of parts that this version knows. Separate from `parts.ts`, because the chat page loads them on first use. */

import * as z from "zod/mini";
import { fileFacts } from "../files/files.ts";
import { TOOL_SOURCES_MAX } from "../limits.ts";
import { timeField } from "../times.ts";
import { type MessagePart, partAnchor } from "./parts.ts";
import { toolQuestionSchema } from "./tool-forms.ts";

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

/**
 * An attached file. With `tool`, it has the rest of the result of the tool part `tool` (its `seq`), which was too long for
 * that part.
 */
export const filePartSchema = z.object({
  ...partAnchor,
  kind: z.literal("file"),
  ...fileFacts,
  tool: z.optional(z.int()),
});
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
 * - `tools-left-out`: the model did not receive `tools` of the tools that are switched on: there are too many, or several
 *   have one name.
 * - `tools-ended`: the reply ended although the model wanted further calls of tools. `reason`: `rounds`, the number of
 *   rounds was reached; `failures`, equal calls failed again and again.
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
  "tools-left-out",
  "tools-ended",
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

/**
 * State of a call of a tool.
 * - `asking`: the tool asks the person by `question` before it continues, see {@link toolPartSchema}.
 * - `proposed`: waits for the decision of a person. `approved`: will be sent.
 * - `sent`: is durable before the request leaves, so that a call without a result may have acted.
 * - `unknown`: its process died, or its connection broke off, before the result was stored. Without a `result` a person
 *   is asked.
 * - `declined`: was never sent.
 */
export const toolStates = [
  ...(["proposed", "approved", "declined", "sent", "asking", "succeeded", "failed", "unknown"] as const),
] as const;
export type ToolState = (typeof toolStates)[number];

/**
 * A text from outside that a call has returned. `number`: by which the reply refers to it, unique in the reply. `from`,
 * `to`: its snapshot in the result, in UTF-16 units. `fetchedAt`: Unix time in ms.
 */
export const toolSourceSchema = z.object({
  number: z.int(),
  url: z.string(),
  title: z.string(),
  from: z.int(),
  to: z.int(),
  fetchedAt: z.optional(timeField()),
});
export type ToolSource = z.infer<typeof toolSourceSchema>;

/**
 * A call of a tool, after the text before `at`. `server`: the group of tools. `call`: unique in the step. `step`: round of
 * calls of the reply, from 0. `arguments`: JSON as the model has written it. `digest`: of server, tool, its schema and
 * the arguments, which an approval names. `attempt`: how often it was sent and ended without its result; absent:
 * never. A decision names it. `isRepeatable`: it is harmless to send it again. `isCut`: the result was longer; a file part
 * with `tool` has its rest. `reason`: why the call was declined or failed.
 *
 * Of a tool of a server: `from`: that server, as the person saw it; `host` is empty for a program beside Parley. `title`:
 * of the tool. `effect`: a `ToolEffect`. `progress`: of the running call; `total` is absent where the server states none.
 * `question`: what the tool asks; with the state `sent`, it is asked while the call runs. `asked`: number of questions so
 * far. `hasTask`: the server works on,
 * and is asked for the result, so that the call is not sent again. `structured`: the result as JSON, for tables.
 */
export const toolPartSchema = z.object({
  ...partAnchor,
  kind: z.literal("tool"),
  server: z.string(),
  name: z.string(),
  call: z.string(),
  step: z.int().check(z.minimum(0)),
  state: z.enum(toolStates),
  arguments: z.string(),
  digest: z.string(),
  attempt: z.optional(z.int().check(z.minimum(1))),
  isRepeatable: z.optional(z.boolean()),
  result: z.optional(z.string()),
  isCut: z.optional(z.boolean()),
  durationMs: z.optional(z.number()),
  reason: z.optional(z.string()),
  sources: z.optional(z.array(toolSourceSchema).check(z.maxLength(TOOL_SOURCES_MAX))),
  from: z.optional(z.object({ name: z.string(), host: z.string() })),
  title: z.optional(z.string()),
  effect: z.optional(z.string()),
  progress: z.optional(z.object({ done: z.number(), total: z.optional(z.number()), message: z.optional(z.string()) })),
  question: z.optional(toolQuestionSchema),
  asked: z.optional(z.int()),
  hasTask: z.optional(z.boolean()),
  structured: z.optional(z.string()),
});
export type ToolPart = z.infer<typeof toolPartSchema>;

/**
 * A citation: the mark that ends at `at` refers to the source `source` (its number) of the tool part `tool` (its `seq`).
 * `quote`: the words before the mark. `checked`: whether the snapshot has them; `unchecked` without a quote or a snapshot.
 * Without `tool`, the provider of the model has named the source: there is no snapshot, and the text may have no mark at
 * `at`, where the words that rest on it end.
 */
export const sourcePartSchema = z.object({
  ...partAnchor,
  kind: z.literal("source"),
  source: z.string(),
  url: z.string(),
  title: z.string(),
  tool: z.optional(z.int()),
  quote: z.optional(z.string()),
  checked: z.enum(["found", "missing", "unchecked"]),
});
export type SourcePart = z.infer<typeof sourcePartSchema>;

/** The kinds of parts; a further kind is added here. */
export const partKinds = {
  reasoning: reasoningPartSchema,
  file: filePartSchema,
  notice: noticePartSchema,
  tool: toolPartSchema,
  source: sourcePartSchema,
} as const;

export const knownPartSchema = z.discriminatedUnion("kind", [
  partKinds.reasoning,
  partKinds.file,
  partKinds.notice,
  partKinds.tool,
  partKinds.source,
]);
export type KnownPart = z.infer<typeof knownPartSchema>;

/** Returns a part of a known kind; undefined for other kinds, and for an invalid body. */
export function toKnownPart(part: MessagePart): KnownPart | undefined {
  const parsed = knownPartSchema.safeParse(part);
  return parsed.success ? parsed.data : undefined;
}
