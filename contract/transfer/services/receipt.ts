import type { ImportReport, SourceReport } from "../import/import-source.ts";
import {
  type ConvertedChat,
  type FateCounts,
  nodeFates,
  type UnreadableReason,
  unreadableReasons,
} from "./foreign-chat.ts";

/** Counts of the nodes of chats by their fate; their sum is the number of the nodes. */
export type Fates = { fates: FateCounts; unreadable: Partial<Record<UnreadableReason, number>> };

/**
 * Receipt of an import: `fates` of the nodes of the imported chats. Together with `notChosen`, the nodes of chats that were
 * not chosen, and `notImported`, those of chats that are here already, were deleted before or were refused, they are all
 * `nodes` of the file that were read. `projects`: what projects of the service hold that was not imported.
 */
export type ForeignReport = ImportReport &
  Fates & { notChosen: number; notImported: number; nodes: number; missingFiles: number; projects: LeftOfProjects };

/** `instructions`: number of projects whose instructions are left out; `documents`: number of documents of all projects. */
export type LeftOfProjects = { instructions: number; documents: number };

/** Counts what becomes of the nodes of the chats that are sent, by the outcome of each chat. */
export class Receipt {
  readonly #sent: ConvertedChat[] = [];
  readonly #projects: LeftOfProjects;
  #notChosen = 0;
  #missingFiles = 0;

  constructor(projects: LeftOfProjects) {
    this.#projects = projects;
  }

  leave({ fates }: ConvertedChat): void {
    this.#notChosen += nodesOf(fates);
  }

  /** Adds the next chat that is sent. Does not retain its messages. */
  add({ chat, ...one }: ConvertedChat, missingFiles: number): void {
    this.#sent.push({ ...one, files: [], chat: { ...chat, messages: [] } });
    this.#missingFiles += missingFiles;
  }

  of({ report, outcomes }: SourceReport): ForeignReport {
    const sum = noFates();
    let notImported = 0;
    for (const [at, one] of this.#sent.entries()) {
      const outcome = outcomes.get(at + 1);
      // An import that ended early has not reached the chat.
      if (outcome === undefined) continue;
      if (outcome === "imported") addFates(sum, one);
      else notImported += nodesOf(one.fates);
    }
    const nodes = nodesOf(sum.fates) + notImported + this.#notChosen;
    const left = {
      notImported,
      notChosen: this.#notChosen,
      missingFiles: this.#missingFiles,
      projects: this.#projects,
    };
    return { ...report, ...sum, ...left, nodes };
  }
}

export const noFates = (): Fates => ({
  fates: { message: 0, part: 0, file: 0, hidden: 0, unreadable: 0 },
  unreadable: {},
});

export const nodesOf = (fates: FateCounts): number => nodeFates.reduce((sum, fate) => sum + fates[fate], 0);

/** Adds counts to a sum. */
export function addFates(sum: Fates, { fates, unreadable }: Fates): void {
  for (const fate of nodeFates) sum.fates[fate] += fates[fate];
  for (const reason of unreadableReasons) {
    const count = unreadable[reason] ?? 0;
    if (count > 0) sum.unreadable[reason] = (sum.unreadable[reason] ?? 0) + count;
  }
}
