import { fileKindOf, type PictureType } from "#contract/files.ts";
import { MINUTE, UNSENT_FILES_MAX } from "#contract/limits.ts";
import { KeyedSemaphore, type SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import { Failure } from "../failure.ts";
import type { FileFacts } from "./attached-file-store.ts";
import type { ByteSource } from "./byte-source.ts";
import type { DocumentReader } from "./documents/read-document.ts";
import { isSmallText, readSmallText } from "./documents/small-text.ts";
import { mediaTypeOf } from "./media-type.ts";
import { BrokenPicture, type PicturePiece, readPicture } from "./pictures/read-picture.ts";

/**
 * What was read of a file. `pieces`: of its source, the bytes that models receive and that are stored; a picture has none
 * of its metadata in them. `text`: readable text of a document.
 */
export type AttachmentReading = { facts: FileFacts; pieces: readonly PicturePiece[]; text: string };

/** Files that are read at a time: a large picture or document takes memory and processor time. */
const READING: SemaphoreLimits = {
  atOnce: 2,
  maxWaiting: 200,
  maxWaitMs: MINUTE,
  retryAfterSeconds: 5,
  // The costly documents of one account leave a slot to the others.
  perFlow: { atOnce: 1, maxWaiting: UNSENT_FILES_MAX, retryAfterSeconds: 5 },
};

/** Reads attached files from any source, a few at a time. It stores nothing. */
export class AttachmentReader implements Disposable {
  readonly #documents: Pick<DocumentReader, "read">;
  readonly #slots = new KeyedSemaphore(READING);

  constructor(documents: Pick<DocumentReader, "read">) {
    this.#documents = documents;
  }

  /**
   * Runs work that reads a file in a slot, in turn with the files of other accounts.
   * @param signal aborts the wait
   * @throws Failure `unavailable` if too many files wait, or the reader is closed; `too-many-requests` if too many of the
   * account wait; the signal's reason; what `work` throws
   */
  run<T>(account: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#slots.run(work, signal, { network: "", account });
  }

  /**
   * Reads a file; to be called within {@link run}.
   * @throws Failure `file-type`, `file-broken`, `picture-too-large`, `unavailable`; the signal's reason; what the source
   * throws
   */
  async read(source: ByteSource, name: string, signal?: AbortSignal): Promise<AttachmentReading> {
    const type = await mediaTypeOf(source, name);
    if (type === null) throw new Failure("file-type");
    return fileKindOf(type) === "picture"
      ? readPictureFile(source, type as PictureType)
      : this.#readDocument(source, type, signal);
  }

  async #readDocument(source: ByteSource, type: string, signal: AbortSignal | undefined): Promise<AttachmentReading> {
    const { size } = source;
    // Decoding cannot hang, and spares a process and the wait for the documents of other accounts.
    const reading = isSmallText(source, type) ? readSmallText(source) : this.#documents.read(source, type, signal);
    const { text, pages = null, remark = null } = await reading;
    if (remark === "broken") throw new Failure("file-broken");
    return { facts: { type, size, width: null, height: null, pages, remark }, pieces: [{ from: 0, to: size }], text };
  }

  [Symbol.dispose](): void {
    this.#slots[Symbol.dispose]();
  }
}

async function readPictureFile(source: ByteSource, type: PictureType): Promise<AttachmentReading> {
  const { width, height, pieces, isAnimated } = await readPicture(source, type).catch((error: unknown) => {
    if (!(error instanceof BrokenPicture)) throw error;
    throw new Failure(error.reason === "too-large" ? "picture-too-large" : "file-broken", { cause: error });
  });
  const size = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  const remark = isAnimated ? "animated" : null;
  return { facts: { type, size, width, height, pages: null, remark }, pieces, text: "" };
}

const lengthOf = (piece: PicturePiece) => (piece instanceof Uint8Array ? piece.length : piece.to - piece.from);
