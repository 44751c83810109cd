/**
 * Parts of a message beside its text. The text stays one string; a part is anchored at a position in it
 * ([decision 44](../docs/decisions/0044-parts-stand-beside-the-text.md)).
 */

import * as z from "zod/mini";

/**
 * `seq`: position among the parts of the message, from 0. `at`: length in UTF-16 units of the text at which the part
 * stands.
 */
export const partAnchor = { seq: z.int().check(z.minimum(0)), at: z.int().check(z.minimum(0)) };

/** A part of any kind. Kinds that this version does not know are not shown, but imported and exported unchanged. */
export const messagePartSchema = z.looseObject({ ...partAnchor, kind: z.string() });
export type MessagePart = z.infer<typeof messagePartSchema>;

type Worded = { content: string; parts?: readonly Pick<MessagePart, "kind">[] | undefined };

/** Kinds of parts with which a message without text is more than an attempt: a file, and a call that may have acted. */
export const substantialKinds: readonly string[] = ["file", "tool"];

/**
 * Whether a reply without text has files and no call of a tool. It cannot be continued: the model would answer from the
 * beginning, and make the files again.
 */
export function isOnlyFiles({ content, parts = [] }: Worded): boolean {
  return content === "" && !isEmptyMessage({ content, parts }) && !parts.some(({ kind }) => kind === "tool");
}

/** Whether a message is without text, files and calls of tools. Such a reply was only attempted, and is not in the tree. */
export function isEmptyMessage({ content, parts = [] }: Worded): boolean {
  return content === "" && !parts.some(({ kind }) => substantialKinds.includes(kind));
}
