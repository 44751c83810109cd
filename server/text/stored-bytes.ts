import type { MessageState } from "#contract/conversation/conversation.ts";
import { isEmptyMessage } from "#contract/conversation/parts.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import { parseSeams, type Seam } from "./seams.ts";

/** Fixed size of an exported message's other fields: ids, times, model, state. */
const FIELDS_BYTES = 300;
/** Size of a seam in the export. */
const SEAM_BYTES = 8;
/**
 * Fixed size of a part beside its body: as much as a message, because reading a part costs as much time and memory,
 * whatever its length.
 */
const PART_BYTES = FIELDS_BYTES;

/** A part of a message. `body`: its JSON as stored. */
type MeasuredPart = { kind: string; body: string };

type Measured = { role: string; content: string; seams: readonly Seam[]; parts: readonly MeasuredPart[] };

/**
 * Unit of storage quotas: bytes of a message in an export, with its text as a JSON string in UTF-8, and its parts. Other
 * fields count with a fixed size, so that changing only them keeps all counters valid. A reply without text and files
 * is not exported and counts 0.
 */
export function storedBytes({ role, content, seams, parts }: Measured): number {
  if (role === "assistant" && isEmptyMessage({ content, parts })) return 0;
  const partBytes = parts.reduce((sum, { body }) => sum + PART_BYTES + Buffer.byteLength(body), 0);
  return FIELDS_BYTES + Buffer.byteLength(JSON.stringify(content)) + seams.length * SEAM_BYTES + partBytes;
}

/** Like {@link storedBytes}, as a chat's counter has it: of a reply in state `writing` without its current run. */
export function countedBytes(
  { seams, run, state, ...row }: Measurable,
  parts: readonly (MeasuredPart & { run: number })[],
): number {
  const all = parseSeams(seams);
  if (!isRunning(state)) return storedBytes({ ...row, seams: all, parts });
  return storedBytes({ ...row, seams: seamsBefore(all, run), parts: parts.filter((part) => part.run < run) });
}

/** Columns of a message's row that {@link countedBytes} reads. */
export type Measurable = { role: string; content: string; seams: string | null; run: number; state: MessageState };

/** Returns the seams that a reply had when a run began. */
export function seamsBefore(seams: readonly Seam[], run: number): Seam[] {
  return seams.filter((seam) => seam.run < run);
}
