import { parseSeams, type Seam } from "./seams.ts";

/** Fixed size of an exported message's other fields: ids, times, model, state. */
const FIELDS_BYTES = 300;
/** Size of a seam in the export. */
const SEAM_BYTES = 8;

type Measured = { role: string; content: string; seams: readonly Seam[] };

/**
 * Unit of storage quotas: bytes of a message in an export, with its text as a JSON string in UTF-8. Other fields count
 * with a fixed size, so that changing only them keeps all counters valid. A reply without text is not exported and
 * counts 0.
 */
export function storedBytes({ role, content, seams }: Measured): number {
  if (role === "assistant" && content === "") return 0;
  return FIELDS_BYTES + Buffer.byteLength(JSON.stringify(content)) + seams.length * SEAM_BYTES;
}

/** Like {@link storedBytes}, as a chat's counter has it: of a reply in state `writing` without its current run. */
export function countedBytes({ seams, run, state, ...row }: Measurable): number {
  const all = parseSeams(seams);
  return storedBytes({ ...row, seams: state === "writing" ? seamsBefore(all, run) : all });
}

/** Columns of a message's row that {@link countedBytes} reads. */
export type Measurable = { role: string; content: string; seams: string | null; run: number; state: string };

/** Returns the seams that a reply had when a run began. */
export function seamsBefore(seams: readonly Seam[], run: number): Seam[] {
  return seams.filter((seam) => seam.run < run);
}
