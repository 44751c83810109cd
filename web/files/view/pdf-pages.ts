import { SECOND } from "#contract/limits.ts";
import type { Size } from "../../ui/zoom/view.ts";
import { Semaphore } from "../upload/semaphore.ts";
import { type DrawnPage, isPdfMessage, type PdfAnswer, type PdfRefusal, type PdfRequest } from "./pdf-messages.ts";
import { startPdfWorker } from "./start-pdf-worker.ts";

/** Time after which opening a file, or drawing one page, ends the worker. */
const LIMIT_MS = 15 * SECOND;

/** `slow`: the worker was ended at its time limit; `missing`: it could not be loaded, or the browser ended it. */
export type PdfFailure = PdfRefusal | "slow" | "missing";

/** A PDF has no drawn pages, for a reason. */
export class PdfError extends Error {
  readonly reason: PdfFailure;
  constructor(reason: PdfFailure) {
    super(`A PDF is not drawn: ${reason}`);
    this.reason = reason;
  }
}

/** The pages of one PDF, drawn one after the other by a worker of their own. */
export class PdfPages implements Disposable {
  readonly #worker = startPdfWorker();
  readonly #requests = new Semaphore(1);
  readonly #onStop: (reason: PdfFailure) => void;
  #ended: PdfFailure | undefined;
  #pending: { resolve: (answer: PdfAnswer) => void; reject: (cause: PdfError) => void } | undefined;
  /** Number of pages, and the size of the first in points, once {@link open} has resolved. */
  count = 0;
  first: Size = { width: 1, height: 1 };

  /** @param onStop called when no more page can be drawn, because the worker has ended */
  constructor(onStop: (reason: PdfFailure) => void) {
    this.#onStop = onStop;
    this.#worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (isPdfMessage(data) && data.kind !== "open" && data.kind !== "draw") this.#pending?.resolve(data);
    });
    this.#worker.addEventListener("error", () => this.#stop("missing"));
  }

  /** Reads a file. Throws a {@link PdfError} if it cannot be drawn. */
  async open(file: Blob, signal: AbortSignal): Promise<void> {
    const bytes = await file.arrayBuffer();
    const answer = await this.#ask({ kind: "open", bytes }, signal);
    if (answer.kind === "refused") throw new PdfError(answer.reason);
    if (answer.kind === "opened") Object.assign(this, { count: answer.pages, first: answer.first });
  }

  /**
   * Draws a page, counted from 1. Resolves with null if it is damaged. Throws a {@link PdfError} if the worker has
   * ended, or the signal's reason.
   * @param width of the picture in device pixels; it is smaller where the page would exceed a bound
   */
  async draw(page: number, width: number, signal: AbortSignal): Promise<DrawnPage | null> {
    const answer = await this.#ask({ kind: "draw", page, width }, signal);
    if (answer.kind !== "drawn") return null;
    if (!signal.aborted) return answer;
    answer.bitmap.close();
    throw signal.reason;
  }

  [Symbol.dispose](): void {
    this.#ended ??= "missing";
    this.#worker.terminate();
  }

  #ask(request: PdfRequest, signal: AbortSignal): Promise<PdfAnswer> {
    return this.#requests.run(signal, async () => {
      if (this.#ended) throw new PdfError(this.#ended);
      const { promise, ...pending } = Promise.withResolvers<PdfAnswer>();
      this.#pending = pending;
      const timer = setTimeout(() => this.#stop("slow"), LIMIT_MS);
      this.#worker.postMessage(request, request.kind === "open" ? [request.bytes] : []);
      return promise.finally(() => clearTimeout(timer));
    });
  }

  #stop(reason: PdfFailure): void {
    if (this.#ended) return;
    this.#ended = reason;
    this.#worker.terminate();
    this.#pending?.reject(new PdfError(reason));
    this.#onStop(reason);
  }
}
