import { parseSeams, type Seam } from "./seams.ts";

/** Stands for the fields of an exported message other than its text: ids, times, model, state. */
const FIELDS_BYTES = 300;
/** An offset in the export's list of seams. */
const SEAM_BYTES = 8;

type Measured = { role: string; content: string; seams: readonly Seam[] };

/**
 * The unit of storage quotas: bytes that a message takes in an export, where its text is a JSON string in UTF-8. The
 * other fields count as a fixed number, so that a change of them alone leaves all counters valid. A reply without text
 * is no part of an export and counts as nothing.
 */
export function storedBytes({ role, content, seams }: Measured): number {
  if (role === "assistant" && content === "") return 0;
  return FIELDS_BYTES + Buffer.byteLength(JSON.stringify(content)) + seams.length * SEAM_BYTES;
}

/** {@link storedBytes} of a row as its chat's counter has it: of a reply in state `writing` without its current run. */
export function countedBytes({ seams, run, state, ...row }: Measurable): number {
  const all = parseSeams(seams);
  return storedBytes({ ...row, seams: state === "writing" ? seamsBefore(all, run) : all });
}

/** The columns of a message's row that {@link countedBytes} reads. */
export type Measurable = { role: string; content: string; seams: string | null; run: number; state: string };

/** The seams that a reply had when a run of it began. */
export function seamsBefore(seams: readonly Seam[], run: number): Seam[] {
  return seams.filter((seam) => seam.run < run);
}
