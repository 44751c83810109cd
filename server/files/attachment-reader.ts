import { fileKindOf, type PictureType } from "#contract/files/files.ts";
import { SECOND, UNSENT_FILES_MAX } from "#contract/limits.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import { KeyedSemaphore, type SemaphoreLimits } from "../concurrency/keyed-semaphore.ts";
import { Failure } from "../failure.ts";
import type { Limits } from "../limits/limits.ts";
import type { FileFacts } from "./attached-file-store.ts";
import type { ByteSource } from "./byte-source.ts";
import type { DocumentText } from "./documents/document-text.ts";
import type { DocumentReader } from "./documents/read-document.ts";
import { isSmallText, readSmallText } from "./documents/small-text.ts";
import { mediaTypeOf } from "./media-type.ts";
import { BrokenPicture, type PicturePiece, readPicture } from "./pictures/read-picture.ts";

/**
 * What was read of a file. `pieces`: of its source, the bytes that models receive and that are stored; a picture has none
 * of its metadata in them. `text`: readable text of a document.
 */
export type AttachmentReading = { facts: FileFacts; pieces: readonly PicturePiece[]; text: string };

/** Time limit of a wait: below the 60 s after which usual proxies answer themselves. A client then tries again. */
const WAIT = { maxWaiting: 200, maxWaitMs: 50 * SECOND, retryAfterSeconds: 1 };

/** Files of an account that are read and stored at a time. */
const FILES: SemaphoreLimits = {
  ...WAIT,
  atOnce: Number.POSITIVE_INFINITY,
  maxWaiting: Number.POSITIVE_INFINITY,
  perAccount: { atOnce: 1, maxWaiting: UNSENT_FILES_MAX, retryAfterSeconds: 5 },
};
/** Pictures that are read at a time: a large one takes memory and processor time. */
const PICTURES: SemaphoreLimits = { ...WAIT, atOnce: 2 };
/** The process reads one document at a time. */
const DOCUMENTS: SemaphoreLimits = { ...WAIT, atOnce: 1 };

export type AttachmentReaderDeps = {
  documents: Pick<DocumentReader, "read">;
  limits: Pick<Limits, "check" | "add">;
};

/** Reads attached files from any source, a few at a time. It stores nothing. */
export class AttachmentReader implements Disposable {
  readonly #deps: AttachmentReaderDeps;
  readonly #files = new KeyedSemaphore(FILES);
  readonly #pictures = new KeyedSemaphore(PICTURES);
  readonly #documents = new KeyedSemaphore(DOCUMENTS);

  constructor(deps: AttachmentReaderDeps) {
    this.#deps = deps;
  }

  /**
   * Runs work that reads a file, one file of an account at a time.
   * @param signal aborts the wait
   * @throws Failure `unavailable` if the reader is closed; `too-many-requests` if too many of the account wait; the
   * signal's reason; what `work` throws
   */
  run<T>(flow: Flow, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#files.run(flow, work, signal);
  }

  /**
   * Reads a file; to be called within {@link run}. Pictures and documents wait in turn with those of other networks and
   * accounts.
   * @throws Failure `file-type`, `file-broken`, `picture-too-large`; `unavailable` if too many files wait, or the reader
   * is closed; `too-many-requests` if documents of the account have taken the time of an hour; the signal's reason; what
   * the source throws
   */
  async read(source: ByteSource, { name, flow }: ReadFile, signal?: AbortSignal): Promise<AttachmentReading> {
    const type = await mediaTypeOf(source, name);
    if (type === null) throw new Failure("file-type");
    if (fileKindOf(type) === "picture") {
      return this.#pictures.run(flow, () => readPictureFile(source, type as PictureType), signal);
    }
    // Decoding cannot hang, and spares a process and the wait for the documents of other accounts.
    if (isSmallText(source, type)) return readingOf(source, type, await readSmallText(source));
    return readingOf(source, type, await this.#readDocument(source, type, { flow, signal }));
  }

  /**
   * Reads a file that must be a picture, as {@link read} does.
   * @throws Failure `file-type`, `file-broken`, `picture-too-large`, `unavailable`; what the source throws
   */
  async readPicture(source: ByteSource, flow: Flow): Promise<AttachmentReading> {
    const type = await mediaTypeOf(source, "");
    if (type === null || fileKindOf(type) !== "picture") throw new Failure("file-type");
    return this.#pictures.run(flow, () => readPictureFile(source, type as PictureType));
  }

  async #readDocument(source: ByteSource, type: string, { flow, signal }: Waiting): Promise<DocumentText> {
    const { documents, limits } = this.#deps;
    return this.#documents.run(
      flow,
      async () => {
        await limits.check("document-reading", flow.account);
        const begunAt = performance.now();
        try {
          return await documents.read(source, type, signal);
        } finally {
          const seconds = Math.round((performance.now() - begunAt) / SECOND);
          await limits.add("document-reading", flow.account, seconds);
        }
      },
      signal,
    );
  }

  [Symbol.dispose](): void {
    for (const semaphore of [this.#files, this.#pictures, this.#documents]) semaphore[Symbol.dispose]();
  }
}

/** `name`: of the file. `flow`: for the waits. */
export type ReadFile = { name: string; flow: Flow };
type Waiting = { flow: Flow; signal: AbortSignal | undefined };

function readingOf(source: ByteSource, type: string, document: DocumentText): AttachmentReading {
  const { text, pages = null, remark = null } = document;
  if (remark === "broken") throw new Failure("file-broken");
  const { size } = source;
  return { facts: { type, size, width: null, height: null, pages, remark }, pieces: [{ from: 0, to: size }], text };
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
