import type { TemporaryFile, TemporaryRequest } from "#contract/conversation/temporary.ts";
import { MEGABYTE, TEMPORARY_FILES_MAX, TEMPORARY_FILES_MAX_BYTES } from "#contract/limits.ts";
import { cleanFileName } from "#contract/text/file-name.ts";
import type { Flow } from "../../concurrency/fair-queue.ts";
import { Failure } from "../../failure.ts";
import type { AttachmentReader, AttachmentReading } from "../../files/attachment-reader.ts";
import { fileFromSource, memorySource, type ReadableFile } from "../../files/readable-file.ts";
import type { FramedBody } from "./framed-body.ts";

export type TemporaryFilesSettings = { maxFileBytes: number; maxFilesPerMessage: number };

/** Files of a request by their ids, in memory as long as something refers to them. */
export type TemporaryFiles = ReadonlyMap<string, ReadableFile>;

export const NO_FILES: TemporaryFiles = new Map();

/** Readable text of all files of a request, in UTF-8: as much as their bytes may take. */
const MAX_TEXT_BYTES = 20 * MEGABYTE;

const filesOf = ({ messages }: TemporaryRequest): TemporaryFile[] => messages.flatMap(({ files = [] }) => files);

/**
 * Refuses the files that a request names, by their number and sizes, before their bytes are read.
 * @throws Failure `files-off`, `file-empty`, `file-too-large`, `files-too-large`, `too-many-files`
 */
export function refuseFiles(request: TemporaryRequest, settings: TemporaryFilesSettings): void {
  const files = filesOf(request);
  if (files.length === 0) return;
  const { maxFileBytes, maxFilesPerMessage } = settings;
  if (maxFileBytes === 0) throw new Failure("files-off");
  const isCrowded = request.messages.some(({ files: own = [] }) => own.length > maxFilesPerMessage);
  if (isCrowded || files.length > TEMPORARY_FILES_MAX) throw new Failure("too-many-files");
  for (const { id, size } of files) {
    if (size === 0) throw new Failure("file-empty", { file: id });
    if (size > maxFileBytes) throw new Failure("file-too-large", { file: id });
  }
  if (files.reduce((sum, { size }) => sum + size, 0) > TEMPORARY_FILES_MAX_BYTES) throw new Failure("files-too-large");
}

export type ReceivingDeps = { reader: AttachmentReader; flow: Flow; signal: AbortSignal };

/**
 * Reads the bytes of the files that a request names, and then the files. Nothing is stored or copied.
 * @throws Failure `invalid-input` if the body has fewer or more bytes; of a file, which it names: `file-type`,
 * `file-broken`, `picture-too-large`; `unavailable`; the signal's reason
 */
export async function receiveFiles(
  body: FramedBody,
  request: TemporaryRequest,
  { reader, flow, signal }: ReceivingDeps,
): Promise<TemporaryFiles> {
  const received: { file: TemporaryFile; bytes: Buffer }[] = [];
  for (const file of filesOf(request)) {
    const bytes = Buffer.allocUnsafeSlow(file.size);
    await body.fill(bytes);
    received.push({ file, bytes });
  }
  await body.end();
  const files = new Map<string, ReadableFile>();
  let textBytes = 0;
  // The newest first: models receive those rather than older ones.
  for (const { file, bytes } of received.reverse()) {
    const { id } = file;
    const name = cleanFileName(file.name);
    const source = memorySource(bytes);
    const reading = await reader
      .run(flow, () => reader.read(source, { name, flow }, signal), signal)
      .catch((error: unknown) => {
        throw error instanceof Failure && isAboutFile(error)
          ? new Failure(error.code, { cause: error, file: id })
          : error;
      });
    textBytes += Buffer.byteLength(reading.text);
    files.set(id, fileFromSource({ id, name }, source, textBytes > MAX_TEXT_BYTES ? withoutText(reading) : reading));
  }
  return files;
}

const isAboutFile = ({ code }: Failure) => code !== "unavailable";

/** A model is told that it did not receive the text. */
const withoutText = (reading: AttachmentReading): AttachmentReading => ({ ...reading, text: "" });
