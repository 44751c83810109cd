import { v5 } from "uuid";
import type { FileBytes, FileOf, JoinBytes } from "#contract/transfer/archive/file-bytes.ts";
import { FileRefusal } from "#contract/transfer/archive/file-refusal.ts";
import type { ChatSource } from "#contract/transfer/import/chat-source.ts";
import {
  type ImportReport,
  type ImportTarget,
  importSource,
  type StopSignal,
} from "#contract/transfer/import/import-source.ts";
import { openExport } from "#contract/transfer/own/own-export.ts";
import { type ForeignChoice, importChosen, leftOfProjects } from "#contract/transfer/services/chosen-chats.ts";
import { type ForeignReport, noFates } from "#contract/transfer/services/receipt.ts";
import { FILES_NAMESPACE, type ForeignFileSource, surveyForeign } from "#contract/transfer/services/survey.ts";
import type { ImportService } from "#contract/transfer/transfer.ts";
import { Failure } from "../../failure.ts";
import { Refusal } from "../command.ts";

/** `text`: sentence for the failure. */
export type Ending = { kind: "done" } | { kind: "stopped" } | { kind: "failed"; text: string };

/** `service`: null for an export of Parley. `brokenChats`: number of values of the file that are no chats. */
export type AnyReport =
  | { service: null; ending: Ending; report: ImportReport; brokenChats: 0 }
  | { service: ImportService; ending: Ending; report: ForeignReport; brokenChats: number };

type Options = ImportTarget<FileBytes> & {
  signal: AbortSignal;
  /** `phase`: of the file; `share`: completed fraction of it, 0 to 1. */
  onProgress: (phase: "reading" | "importing", share: number) => void;
  choice: Pick<ForeignChoice, "folder" | "again" | "instructions">;
};

const join: JoinBytes<FileBytes> = (pieces) => new Blob([...pieces]);

/**
 * Imports a file, whose kind is recognised by its content. A report is returned also of an import that was stopped or has
 * failed after its begin.
 * @throws FileRefusal, and the signal's reason, before anything is imported
 */
export async function importAny(file: FileOf<FileBytes>, options: Options): Promise<AnyReport> {
  const own = await openOwn(file);
  if (!own) return importForeign(file, options);
  if (options.choice.folder !== "") {
    throw new Refusal("An export of Parley has its own folders: --folder is for the other services.", "usage");
  }
  return importOwn(own, options);
}

/** Returns undefined for a file that is no export of Parley. @throws other FileRefusals */
async function openOwn(file: FileOf<FileBytes>): Promise<ChatSource<FileBytes> | undefined> {
  try {
    return await openExport(file, join);
  } catch (error) {
    if (error instanceof FileRefusal && error.reason === "not-an-export") return undefined;
    throw error;
  }
}

const noSum = () => ({ imported: 0, skipped: 0, deleted: 0, folders: 0, presets: 0, problems: [] });

async function importOwn(source: ChatSource<FileBytes>, options: Options): Promise<AnyReport> {
  const { choice: _, onProgress, signal, ...target } = options;
  let report: ImportReport = { ...noSum(), files: 0, lostFiles: [] };
  const ending = await endingOf(signal, async () => {
    const onStep = (share: number, sofar: { report: ImportReport }) => {
      report = sofar.report;
      onProgress("importing", share);
    };
    await importSource(source, { ...target, signal, onProgress: onStep });
  });
  return { service: null, ending, report, brokenChats: 0 };
}

async function importForeign(file: FileOf<FileBytes>, options: Options): Promise<AnyReport> {
  const { choice: given, onProgress, signal, ...target } = options;
  // As in the page, so that a file that the page has imported has the same ids.
  const context = { fileIdOf: (key: string) => v5(key, FILES_NAMESPACE), now: Date.now() };
  const source: ForeignFileSource<FileBytes> = { file, join, context };
  const surveyed = await surveyForeign(source, signal, (share) => onProgress("reading", share));
  const choice = { ...given, positions: new Set(surveyed.chats.map(({ position }) => position)) };
  let report: ForeignReport = {
    ...noSum(),
    ...noFates(),
    files: 0,
    lostFiles: [],
    notChosen: 0,
    notImported: 0,
    nodes: 0,
    missingFiles: 0,
    projects: leftOfProjects(surveyed, {}),
  };
  const ending = await endingOf(signal, async () => {
    const onStep = (share: number, sofar: ForeignReport) => {
      report = sofar;
      onProgress("importing", share);
    };
    await importChosen({ ...source, surveyed, choice }, { ...target, signal, onProgress: onStep });
  });
  const { service, brokenChats, nodes } = surveyed;
  return { service, ending, report: { ...report, nodes }, brokenChats };
}

/** Runs an import. @throws errors that are neither a stop nor a failure of the server's rules */
async function endingOf(signal: AbortSignal & StopSignal, run: () => Promise<void>): Promise<Ending> {
  try {
    await run();
    return signal.aborted ? { kind: "stopped" } : { kind: "done" };
  } catch (error) {
    if (signal.aborted) return { kind: "stopped" };
    if (error instanceof Failure) return { kind: "failed", text: error.message };
    throw error;
  }
}
