import { INSTRUCTIONS_MAX } from "../../limits.ts";
import type { ArchivedFile, FileBytes } from "../archive/file-bytes.ts";
import type { ChatSource } from "../import/chat-source.ts";
import { type ImportOptions, importSource, type SourceReport } from "../import/import-source.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "../transfer.ts";
import { exportedFileOf } from "./exported-file.ts";
import type { ConvertedChat } from "./foreign-chat.ts";
import type { ForeignExport } from "./foreign-export.ts";
import { ChosenFiling, type FilingChoice } from "./foreign-folders.ts";
import { type ForeignReport, type LeftOfProjects, Receipt } from "./receipt.ts";
import { type ForeignFileSource, openForeign, type Survey } from "./survey.ts";

/**
 * What a person chooses. `again`: whether chats that were imported and deleted are imported again; `instructions`: whether
 * those of the file are taken over.
 */
export type ForeignChoice = FilingChoice & {
  positions: ReadonlySet<number>;
  again: boolean;
  instructions: boolean;
};

type ForeignOptions<B extends FileBytes> = Omit<ImportOptions<B>, "onProgress"> & {
  onProgress: (share: number, sofar: ForeignReport) => void;
};

/**
 * Imports the chosen chats of a file. It can be repeated after a failure: chats that are here are skipped.
 * @throws as {@link importSource}; the chats imported until then remain
 */
export async function importChosen<B extends FileBytes>(
  given: ForeignFileSource<B> & { surveyed: Survey; choice: ForeignChoice },
  { onProgress, ...options }: ForeignOptions<B>,
): Promise<ForeignReport> {
  const source = await openForeign(given);
  const receipt = new Receipt(leftOfProjects(given.surveyed, given.choice));
  const result = await importSource(chosenChats({ ...given, source, receipt }), {
    ...options,
    onProgress: (share: number, sofar: SourceReport) => onProgress(share, receipt.of(sofar)),
  });
  return receipt.of(result);
}

type Chosen<B extends FileBytes> = ForeignFileSource<B> & {
  source: ForeignExport;
  surveyed: Survey;
  choice: ForeignChoice;
  receipt: Receipt;
};

/** Returns the chosen chats in our own form, with their files as far as the chats were read. */
function chosenChats<B extends FileBytes>(given: Chosen<B>): ChatSource<B> {
  const { source, surveyed, choice, receipt } = given;
  const files = new Map<string, ArchivedFile<B>>();
  const filing = filingOf(surveyed, choice);
  return {
    head: headOf(surveyed, choice, filing),
    size: source.size + surveyed.fileBytes,
    files,
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
        for (const one of chosen) receipt.add(one, addFiles(given, one, files));
        yield { chats: chosen.map(({ chat }) => JSON.stringify({ ...chat, ...filing.of(chat) })), bytes };
      }
    },
  };
}

/** Adds the uploadable files of a chat to `files`. @returns the number of its missing files */
function addFiles<B extends FileBytes>(
  given: Chosen<B>,
  chat: ConvertedChat,
  files: Map<string, ArchivedFile<B>>,
): number {
  let missing = 0;
  for (const named of chat.files) {
    const found = exportedFileOf(given, given.source, named);
    if (found) files.set(named.id, found);
    else missing++;
  }
  return missing;
}

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
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    again: choice.again,
    ...(choice.instructions &&
      instructions !== undefined && { account: { instructions: instructions.slice(0, INSTRUCTIONS_MAX) } }),
    ...(folders.length > 0 && { folders }),
    ...(presets.length > 0 && { presets }),
  };
  return JSON.stringify(head).slice(0, -1);
}
