import { LimitedProcess, type Post, type ProcessLimits } from "../../concurrency/limited-process.ts";
import type { ByteSource } from "../byte-source.ts";
import type { DocumentAnswer, DocumentPiece } from "./document-process.ts";
import type { DocumentText } from "./document-text.ts";

/** `timeoutMs`: for a document whose bytes the process has. */
export type ParserLimits = ProcessLimits & { timeoutMs: number };

/** The entry of the process is next to this module, in the sources and in the build. */
const ENTRY = import.meta.url.endsWith(".ts") ? "./document-process.ts" : "./document-process.js";
/** In bytes: the server holds one piece of a document at a time. */
const PIECE = 1024 * 1024;
/** Exit code of Node after an uncaught exception. */
const UNCAUGHT = 1;

/** A child process that reads documents, one at a time: a PDF of 100 kB can make V8 abort. */
export class ParserProcess {
  readonly #process: LimitedProcess<DocumentAnswer>;
  readonly #timeoutMs: number;

  constructor({ timeoutMs, ...limits }: ParserLimits) {
    this.#timeoutMs = timeoutMs;
    this.#process = new LimitedProcess(new URL(ENTRY, import.meta.url), limits);
  }

  /** Whether the process reads no more documents. */
  get isEnded(): boolean {
    return this.#process.isEnded;
  }

  /**
   * Reads a document. After a failure or an exceeded limit the process is ended.
   * @throws the signal's reason; what the source throws; Failure `unavailable` or Error if the process does not start
   */
  async read(source: ByteSource, type: string, signal: AbortSignal): Promise<DocumentText> {
    let isWorn = true;
    try {
      const send = (post: Post) => this.#send(source, type, signal, post);
      const outcome = await this.#process.ask(send, this.#timeoutMs, signal);
      if (outcome === "timeout") return { text: "", remark: "too-complex" };
      // Any other end has a limit as its cause: V8 aborts when the heap is full, the watch thread kills.
      if ("code" in outcome) return { text: "", remark: outcome.code === UNCAUGHT ? "broken" : "too-complex" };
      ({ isWorn } = outcome.answer);
      return outcome.answer.document;
    } finally {
      if (isWorn) await this.end();
    }
  }

  /** Sends a document piece by piece, until the process or the reading ends. */
  async #send(source: ByteSource, type: string, signal: AbortSignal, post: Post): Promise<void> {
    const { size } = source;
    let at = 0;
    do {
      const bytes = await source.read(at, PIECE);
      if (this.isEnded || signal.aborted) return;
      if (bytes.length === 0 && size > 0) throw new Error("A document is shorter than its size");
      await post({ type, size, bytes } satisfies DocumentPiece);
      at += bytes.length;
    } while (at < size);
  }

  /** Kills the process. */
  end(): Promise<void> {
    return this.#process.end();
  }
}
