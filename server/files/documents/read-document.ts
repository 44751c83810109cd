import { PDF_TYPE } from "#contract/files/files.ts";
import { SECOND } from "#contract/limits.ts";
import { IdleProcess } from "../../concurrency/idle-process.ts";
import { internalFlow } from "../../concurrency/internal-flow.ts";
import type { ByteSource } from "../byte-source.ts";
import { EPUB_TYPE, MAIL_TYPE, NOTEBOOK_TYPE, officeTypes, RTF_TYPE } from "../media-type.ts";
import type { DocumentText } from "./document-text.ts";
import { type ParserLimits, ParserProcess } from "./parser-process.ts";

export type { DocumentRemark, DocumentText } from "./document-text.ts";

/** Media types of documents; source code of any language is `text/plain`. */
export const documentTypes: readonly string[] = [
  PDF_TYPE,
  ...officeTypes,
  ...[RTF_TYPE, EPUB_TYPE, MAIL_TYPE, NOTEBOOK_TYPE],
  ...["text/plain", "text/csv", "text/html", "text/markdown"],
];

/** `idleMs`: time after which a process without documents ends, because its libraries take memory. */
export type DocumentReaderSettings = ParserLimits & { idleMs: number };

/**
 * Measured: the process takes 175 MB of memory and 1.1 s for a PDF of 200 pages (600,000 characters), 180 MB and 0.7 s
 * for a workbook of 100,000 rows with 5 cells. Some PDFs need 256 MB of heap.
 */
const DEFAULTS: DocumentReaderSettings = {
  timeoutMs: 10 * SECOND,
  maxHeapMb: 256,
  maxMemoryMb: 512,
  idleMs: 30 * SECOND,
};

/**
 * Reads the text of documents one after the other, in a process of its own with limits of time and memory. The process
 * starts with the first document and is replaced after one that exceeds a limit.
 */
export class DocumentReader implements AsyncDisposable {
  readonly #process: IdleProcess<ParserProcess>;

  constructor(settings: Partial<DocumentReaderSettings> = {}) {
    const { idleMs, ...limits } = { ...DEFAULTS, ...settings };
    this.#process = new IdleProcess(() => new ParserProcess(limits), idleMs);
  }

  /**
   * Reads a document of one of {@link documentTypes}. Its caller, `AttachmentReader`, lets accounts take turns.
   * @param signal ends the wait and the reading
   * @throws Failure `unavailable` if the reader is closed; the signal's reason; what the source throws
   */
  read(source: ByteSource, type: string, signal?: AbortSignal): Promise<DocumentText> {
    return this.#process.run(internalFlow("document"), (process, ended) => process.read(source, type, ended), signal);
  }

  /** Refuses waiting documents, and ends the process with the one that is being read. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }
}
