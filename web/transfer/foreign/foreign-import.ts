import { v5 } from "uuid";
import { INSTRUCTIONS_MAX } from "#contract/limits.ts";
import { converters } from "#contract/transfer/services/converters.ts";
import {
  type ConvertedChat,
  type FateCounts,
  nodeFates,
  type UnreadableReason,
  unreadableReasons,
} from "#contract/transfer/services/foreign-chat.ts";
import { type ForeignExport, openForeignExport } from "#contract/transfer/services/foreign-export.ts";
import {
  ChosenFiling,
  type FilingChoice,
  FolderSurvey,
  type SurveyedFolder,
} from "#contract/transfer/services/foreign-folders.ts";
import { EXPORT_FORMAT, EXPORT_VERSION, type ImportService } from "#contract/transfer/transfer.ts";
import type { ProgressTransport } from "../../files/upload/upload-transport.ts";
import { type ImportReport, importSource, type SourceReport } from "../import-source.ts";
import type { ArchivedFile } from "../zip/export-archive.ts";
import { beginUploads } from "../zip/zip-import.ts";
import { foreignFileOf } from "./foreign-files.ts";

/** Namespace of the ids of files that other services' exports name (RFC 9562, UUID version 5). */
const FILES_NAMESPACE = "5f0c3c0e-6f0e-4d0e-9d5a-3f8f1f5f5a10";

/** Counts of the nodes of chats by their fate; their sum is the number of the nodes. */
type Fates = { fates: FateCounts; unreadable: Partial<Record<UnreadableReason, number>> };

/**
 * A chat of a file. `position`: its number in the file, from 1; `updatedAt`: Unix time in ms; `folder`: id of the service's
 * folder.
 */
export type SurveyedChat = {
  position: number;
  title: string;
  updatedAt: number;
  messages: number;
  files: number;
  folder: string | null;
};

/**
 * What a file holds. `files`: number of files that its messages name; `missingFiles`: those whose bytes the export lacks;
 * `brokenChats`: number of values that are no chats; `instructions`: the person's own for all chats; `nodes`: of all chats;
 * `folders`: of the service, its projects among them.
 */
export type Survey = Fates & {
  service: ImportService;
  chats: readonly SurveyedChat[];
  folders: readonly SurveyedFolder[];
  files: number;
  missingFiles: number;
  /** Of the files that are uploaded. */
  fileBytes: number;
  brokenChats: number;
  instructions?: string;
  nodes: number;
};

/**
 * What a person chooses. `again`: whether chats that were imported and deleted are imported again; `instructions`: whether
 * those of the file are taken over.
 */
export type ForeignChoice = FilingChoice & {
  positions: ReadonlySet<number>;
  again: boolean;
  instructions: boolean;
};

/**
 * Receipt of an import: `fates` of the nodes of the imported chats. Together with `notChosen`, the nodes of chats that were
 * not chosen, and `notImported`, those of chats that are here already, were deleted before or were refused, they are all
 * `nodes` of the file that were read. `projects`: what projects of the service hold that was not imported.
 */
export type ForeignReport = ImportReport &
  Fates & { notChosen: number; notImported: number; nodes: number; missingFiles: number; projects: LeftOfProjects };
/** `instructions`: number of projects whose instructions are left out; `documents`: number of documents of all projects. */
export type LeftOfProjects = { instructions: number; documents: number };

/**
 * Reads an export of another service, of which nothing is sent.
 * @throws FileRefusal, and the signal's reason
 */
export async function survey(
  file: Blob,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Survey & { file: Blob }> {
  const source = await open(file);
  const chats: SurveyedChat[] = [];
  const sum = noFates();
  const folders = new FolderSurvey();
  let [files, missingFiles, fileBytes, brokenChats, readBytes, position] = [0, 0, 0, 0, 0, 0];
  let instructions: string | undefined;
  for await (const { chats: read, folders: given, bytes } of source.chats()) {
    signal.throwIfAborted();
    for (const folder of given) folders.add(folder);
    for (const one of read) {
      position++;
      if (!one) {
        brokenChats++;
        continue;
      }
      const { title, updatedAt, messages, folder } = one.chat;
      chats.push({ position, title, updatedAt, messages: messages.length, files: one.files.length, folder });
      folders.addChat(one);
      addFates(sum, one);
      instructions ??= one.instructions;
      files += one.files.length;
      const found = one.files.flatMap((named) => foreignFileOf(file, source, named) ?? []);
      missingFiles += one.files.length - found.length;
      fileBytes += found.reduce((bytesOfAll, { size }) => bytesOfAll + size, 0);
    }
    readBytes += bytes;
    onProgress(Math.min(1, readBytes / source.size));
  }
  return {
    ...{ file, service: source.service, chats, folders: folders.all, files, missingFiles, fileBytes, brokenChats },
    ...{ ...sum, nodes: nodesOf(sum.fates) },
    ...(instructions !== undefined && { instructions }),
  };
}

/**
 * Imports the chosen chats of a file. It can be repeated after a failure: chats that are here are skipped.
 * @param transport sends the files; by default by XMLHttpRequest
 * @throws FileRefusal, ApiError, and the signal's reason; the chats imported until then remain
 */
export async function importForeign(
  surveyed: Survey & { file: Blob },
  choice: ForeignChoice,
  signal: AbortSignal,
  onProgress: (share: number, sofar: ForeignReport) => void,
  transport?: ProgressTransport,
): Promise<ForeignReport> {
  const { file } = surveyed;
  const source = await open(file);
  const files = new Map<string, ArchivedFile>();
  const receipt = new Receipt(leftOfProjects(surveyed, choice));
  const filing = filingOf(surveyed, choice);
  const size = source.size + surveyed.fileBytes;
  const options = {
    ...{ signal, transport },
    onProgress: (share: number, sofar: SourceReport) => onProgress(share, receipt.of(sofar)),
  };
  const result = await importSource(
    {
      head: headOf(surveyed, choice, filing),
      size,
      beginUploads: (more) => beginUploads({ ...more, files }),
      async *chats() {
        let position = 0;
        for await (const { chats, bytes } of source.chats()) {
          const chosen: ConvertedChat[] = [];
          for (const one of chats) {
            position++;
            if (!one) continue;
            if (!choice.positions.has(position)) receipt.leave(one);
            else chosen.push(one);
          }
          for (const one of chosen) receipt.add(one, noteFiles(file, source, one, files));
          yield { chats: chosen.map(({ chat }) => JSON.stringify({ ...chat, ...filing.of(chat) })), bytes };
        }
      },
    },
    options,
  );
  return receipt.of(result);
}

/** Notes the files of a chat that can be uploaded. @returns the number of those that cannot */
function noteFiles(file: Blob, source: ForeignExport, chat: ConvertedChat, files: Map<string, ArchivedFile>): number {
  let missing = 0;
  for (const named of chat.files) {
    const found = foreignFileOf(file, source, named);
    if (found) files.set(named.id, found);
    else missing++;
  }
  return missing;
}

const open = (file: Blob) =>
  openForeignExport(file, converters, { fileIdOf: (key) => v5(key, FILES_NAMESPACE), now: Date.now() });

function filingOf({ chats, folders }: Survey, choice: ForeignChoice): ChosenFiling {
  const chosen = chats.filter(({ position }) => choice.positions.has(position));
  return new ChosenFiling(folders, choice, new Set(chosen.map(({ folder }) => folder)));
}

/** Returns what projects hold that an import leaves out. */
export function leftOfProjects(
  { folders }: Pick<Survey, "folders">,
  { projectPresets }: Pick<FilingChoice, "projectPresets">,
): LeftOfProjects {
  const instructed = folders.filter(({ instructions }) => instructions !== "");
  const documents = folders.reduce((sum, folder) => sum + folder.documents, 0);
  return { instructions: projectPresets ? 0 : instructed.length, documents };
}

/** Returns everything but the chats, as JSON without its end. Longer instructions than an account may have are cut. */
function headOf({ instructions }: Survey, choice: ForeignChoice, { folders, presets }: ChosenFiling): string {
  const head = {
    ...{ format: EXPORT_FORMAT, version: EXPORT_VERSION, again: choice.again },
    ...(choice.instructions &&
      instructions !== undefined && { account: { instructions: instructions.slice(0, INSTRUCTIONS_MAX) } }),
    ...(folders.length > 0 && { folders }),
    ...(presets.length > 0 && { presets }),
  };
  return JSON.stringify(head).slice(0, -1);
}

/** Counts what becomes of the nodes of the chats that are sent, by the outcome of each chat. */
class Receipt {
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

  /** Adds the next chat that is sent. Its messages are not kept. */
  add({ chat, ...one }: ConvertedChat, missingFiles: number): void {
    this.#sent.push({ ...one, files: [], chat: { ...chat, messages: [] } });
    this.#missingFiles += missingFiles;
  }

  of({ report, outcomes }: SourceReport): ForeignReport {
    const sum = noFates();
    let notImported = 0;
    for (const [at, one] of this.#sent.entries()) {
      if (outcomes.get(at + 1) === "imported") addFates(sum, one);
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

const noFates = (): Fates => ({ fates: { message: 0, part: 0, file: 0, hidden: 0, unreadable: 0 }, unreadable: {} });

const nodesOf = (fates: FateCounts): number => nodeFates.reduce((sum, fate) => sum + fates[fate], 0);

function addFates(sum: Fates, { fates, unreadable }: Fates): void {
  for (const fate of nodeFates) sum.fates[fate] += fates[fate];
  for (const reason of unreadableReasons) {
    const count = unreadable[reason] ?? 0;
    if (count > 0) sum.unreadable[reason] = (sum.unreadable[reason] ?? 0) + count;
  }
}
