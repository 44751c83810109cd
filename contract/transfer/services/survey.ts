import type { FileBytes, FileOf, JoinBytes } from "../archive/file-bytes.ts";
import type { StopSignal } from "../import/import-source.ts";
import type { ImportService } from "../transfer.ts";
import { converters } from "./converters.ts";
import { exportedFileOf } from "./exported-file.ts";
import type { ConversionContext } from "./foreign-chat.ts";
import { type ForeignExport, openForeignExport } from "./foreign-export.ts";
import { FolderSurvey, type SurveyedFolder } from "./foreign-folders.ts";
import { addFates, type Fates, nodesOf, noFates } from "./receipt.ts";

/** Namespace of the ids of files that other services' exports name (RFC 9562, UUID version 5). */
export const FILES_NAMESPACE = "5f0c3c0e-6f0e-4d0e-9d5a-3f8f1f5f5a10";

/** A file, and how its parts are read. */
export type ForeignFileSource<B extends FileBytes> = {
  file: FileOf<B>;
  join: JoinBytes<B>;
  context: ConversionContext;
};

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

/** Opens an export of another service. @throws FileRefusal */
export const openForeign = <B extends FileBytes>({ file, context }: ForeignFileSource<B>): Promise<ForeignExport> =>
  openForeignExport(file, converters, context);

/**
 * Reads an export of another service, of which nothing is sent.
 * @throws FileRefusal, and the signal's reason
 */
export async function surveyForeign<B extends FileBytes>(
  given: ForeignFileSource<B>,
  signal: StopSignal,
  onProgress: (share: number) => void,
): Promise<Survey> {
  const source = await openForeign(given);
  const chats: SurveyedChat[] = [];
  const sum = noFates();
  const folders = new FolderSurvey();
  let [files, missingFiles, fileBytes, brokenChats, readBytes, position] = [0, 0, 0, 0, 0, 0];
  let instructions: string | undefined;
  for await (const { chats: read, folders: found, bytes } of source.chats()) {
    signal.throwIfAborted();
    for (const folder of found) folders.add(folder);
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
      const exported = one.files.flatMap((named) => exportedFileOf(given, source, named) ?? []);
      missingFiles += one.files.length - exported.length;
      fileBytes += exported.reduce((bytesOfAll, { size }) => bytesOfAll + size, 0);
    }
    readBytes += bytes;
    onProgress(Math.min(1, readBytes / source.size));
  }
  return {
    ...{ service: source.service, chats, folders: folders.all, files, missingFiles, fileBytes, brokenChats },
    ...{ ...sum, nodes: nodesOf(sum.fates) },
    ...(instructions !== undefined && { instructions }),
  };
}
