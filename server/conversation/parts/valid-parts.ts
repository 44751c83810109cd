import { knownPartSchema, partKinds, type ToolState } from "#contract/conversation/known-parts.ts";
import { messagePartSchema } from "#contract/conversation/parts.ts";
import { fileIdSchema } from "#contract/files/files.ts";
import { PARTS_MAX } from "#contract/limits.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import { isFilePart, numbered, type Part, REASONING, TOOL } from "./message-part.ts";
import { MAX_REASONING_CHARS } from "./reply-parts.ts";

const MAX_KIND_CHARS = 40;
/** Of the JSON of a part without the text of reasoning, in UTF-16 units. */
const MAX_BODY_CHARS = 100_000;
/** Of a call of a tool, whose result and arguments are escaped in it. */
const MAX_CALL_CHARS = 1_000_000;
/** States of a call in which the server would run it, or ask for it. */
const PENDING: readonly unknown[] = ["proposed", "approved", "sent", "asking"] satisfies ToolState[];

/**
 * Returns the valid parts of a message that a client imports or adds, numbered anew from 0. Parts of other kinds are
 * unchanged. Invalid parts, parts behind the end of the text and parts beyond a limit are dropped.
 */
export function validParts(given: unknown, content: string): Part[] {
  if (!Array.isArray(given)) return [];
  const valid = given.slice(0, PARTS_MAX).flatMap((one: unknown) => validPart(one, content.length) ?? []);
  let left = MAX_REASONING_CHARS;
  const fitting = valid.filter(({ text = "" }) => {
    if (text.length > left) return false;
    left -= text.length;
    return true;
  });
  return numbered(fitting.sort((a, b) => a.seq - b.seq));
}

function validPart(given: unknown, end: number): Part | undefined {
  const parsed = messagePartSchema.safeParse(given);
  if (!parsed.success) return undefined;
  const { seq, at, kind, ...body } = parsed.data;
  if (at > end || kind.length > MAX_KIND_CHARS || kind !== wellFormed(kind)) return undefined;
  if (Object.hasOwn(partKinds, kind) && !knownPartSchema.safeParse(parsed.data).success) return undefined;
  // The id becomes a parameter of queries: PostgreSQL refuses some texts.
  if (isFilePart({ kind }) && !fileIdSchema.safeParse(parsed.data.id).success) return undefined;
  const isReasoning = kind === REASONING;
  const { text, ...others } = body;
  const fields = isReasoning ? others : kind === TOOL ? endedCall(body) : body;
  const maxChars = kind === TOOL ? MAX_CALL_CHARS : MAX_BODY_CHARS;
  if (JSON.stringify(fields).length > maxChars) return undefined;
  return { seq, at, kind, run: 0, rev: 0, body: fields, ...(isReasoning && { text: wellFormed(String(text)) }) };
}

/** A client has no calls that the server would run, nor any that asks. */
function endedCall({ question: _, progress: __, ...body }: Record<string, unknown>): Record<string, unknown> {
  if (PENDING.includes(body.state)) return { ...body, state: "declined", reason: "imported" };
  return body.state === "unknown" && body.result === undefined ? { ...body, result: "" } : body;
}
