import type {
  FilePart,
  KnownPart,
  NoticeCode,
  NoticePart,
  SourcePart,
  ToolPart,
} from "#contract/conversation/known-parts.ts";
import type { MessagePart, partAnchor } from "#contract/conversation/parts.ts";
import type { ReplyPart } from "#contract/conversation/reply-events.ts";
import type { MessagePartRow } from "../../database/schema.ts";

/** A part of a message. That of a running reply changes. */
export type Part = {
  readonly seq: number;
  /** Length of the text (UTF-16 units) at which it stands. */
  readonly at: number;
  readonly kind: string;
  /** The run that wrote it. */
  readonly run: number;
  /** The message's revision at its last change. */
  rev: number;
  /** Fields of its kind, without the text of reasoning. */
  body: Readonly<Record<string, unknown>>;
  /** Text of reasoning so far; absent in other kinds. */
  text?: string;
};

/** Numbers the parts of a stored message. Each has two revisions: those of its beginning and of its end. */
export function numbered(parts: readonly Omit<Part, "seq" | "rev">[]): Part[] {
  return parts.map((part, seq) => ({ ...part, seq, rev: 2 * (seq + 1) }));
}

type PartKind = KnownPart["kind"];

/** A notice about the output of one call. */
export type Notice = { code: NoticeCode; params: NoticePart["params"] };

/**
 * Text of a message, with its parts and their revision. `writer`: value of the model whose output is last, while the
 * message is being written; null if there is none yet.
 */
export type MessageContent = { text: string; parts: readonly Part[]; rev: number; writer?: string | null };

export const REASONING = "reasoning" satisfies PartKind;
export const FILE = "file" satisfies PartKind;
export const NOTICE = "notice" satisfies PartKind;
export const TOOL = "tool" satisfies PartKind;
export const SOURCE = "source" satisfies PartKind;

/** Fields of a file. */
export type FileBody = Omit<FilePart, keyof typeof partAnchor | "kind">;
/** Fields of a call of a tool. */
export type ToolBody = Omit<ToolPart, keyof typeof partAnchor | "kind">;
/** Fields of a citation. */
export type SourceBody = Omit<SourcePart, keyof typeof partAnchor | "kind">;

/** A call of a tool in a reply, whose fields were validated. */
export type ToolCallPart = Omit<Part, "body"> & { body: ToolBody };

const isToolPart = (part: Part): part is Part & ToolCallPart => part.kind === TOOL;

/** Whether a part is a citation, whose fields were validated. */
export const isSourcePart = (part: Part): part is Part & { body: SourceBody } => part.kind === SOURCE;

/** Returns the calls of a reply, in their order. */
export const callPartsOf = (parts: readonly Part[]): ToolCallPart[] => parts.filter(isToolPart);

/** Tools of one message that search knows. An imported name may have any length. */
const INDEXED_TOOLS_MAX = 50;
const INDEXED_NAME_MAX = 100;

/** Returns the names of the tools that a reply has called, each once. Neither arguments nor results are searched. */
export function toolNamesOf(parts: readonly Part[]): string[] {
  // A call without a server is of a tool that does not exist.
  const names = callPartsOf(parts).flatMap(({ body: { server, name } }) =>
    server === "" || name.length > INDEXED_NAME_MAX ? [] : [name],
  );
  return [...new Set(names)].slice(0, INDEXED_TOOLS_MAX);
}

/** Whether a run began at a position because a call was decided: the call shows it, so no seam is shown. */
export const isBehindCall = (parts: readonly Pick<Part, "kind" | "at">[], at: number): boolean =>
  parts.some((part) => part.kind === TOOL && part.at === at);

/** Whether a person must decide on a call. */
export const needsDecision = ({ body: { state, result } }: ToolCallPart): boolean =>
  state === "proposed" || state === "asking" || (state === "unknown" && result === undefined);

/** Whether a call may still change: it waits for a person, or will be sent, or its result is not here yet. */
export const isPending = (call: ToolCallPart): boolean =>
  needsDecision(call) || call.body.state === "approved" || call.body.state === "sent";

/** Whether a part is an attached file, also one that the account does not have. */
export const isFilePart = ({ kind }: Pick<Part, "kind">): boolean => kind === FILE;

/** Whether a part is a file of a result of a tool: a picture, or the rest of a long one. It is no answer. */
export const isResultFile = ({ kind, body }: Pick<Part, "kind" | "body">): boolean =>
  kind === FILE && body.tool !== undefined;

/** Whether a part is the rest of a result that was too long, which models can read on. */
export const isResultText = (part: Pick<Part, "kind" | "body">): boolean =>
  isResultFile(part) && part.body.type === "text/plain";

/** Parses a stored part. Of reasoning that was growing, the chunks are missing. */
export function toPart({ seq, at, kind, run, rev, body: stored }: MessagePartRow): Part {
  const { text, ...body }: Record<string, unknown> = JSON.parse(stored);
  if (kind === REASONING) return { seq, at, kind, run, rev, body, text: typeof text === "string" ? text : "" };
  return { seq, at, kind, run, rev, body: text === undefined ? body : { ...body, text } };
}

/** Returns the stored JSON of a part: the fields of its kind. */
export function bodyOf({ body, text }: Part): string {
  return JSON.stringify(text === undefined ? body : { ...body, text });
}

export function toPartRow(messageId: string, part: Part): MessagePartRow {
  const { seq, at, kind, run, rev } = part;
  return { message_id: messageId, seq, at, kind, run, rev, body: bodyOf(part) };
}

/** Converts a part to the contract's form, with the whole text of reasoning. */
export function toMessagePart({ seq, at, kind, body, text }: Part): MessagePart {
  return { ...body, ...(text !== undefined && { text }), seq, at, kind };
}

/** Whether the part is reasoning that has ended. Reasoning whose process died has not. */
export function isEndedReasoning({ text, body }: Part): boolean {
  return text !== undefined && body.durationMs !== undefined;
}

/** Returns the event of a part as it is now, without the text of reasoning. */
export function partEvent({ seq, at, kind, body, rev }: Part): ReplyPart {
  return { part: { ...body, seq, at, kind, rev } };
}

/** Returns the event that announces reasoning before its text. */
export function openingEvent(part: Part): ReplyPart {
  if (!isEndedReasoning(part)) return partEvent(part);
  const { durationMs: _, ...body } = part.body;
  // One less than the revision of its end, so that a reader that disconnects after this event still receives the end.
  return partEvent({ ...part, body, rev: part.rev - 1 });
}
