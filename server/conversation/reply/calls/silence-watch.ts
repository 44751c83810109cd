import { ModelError } from "../../../models/model-error.ts";

/** Aborts if the first output, or later any byte, takes too long. Uses one timer, which is rearmed only when it fires. */
export class SilenceWatch implements Disposable {
  readonly #abort = new AbortController();
  readonly #idleMs: number;
  #timer: NodeJS.Timeout;
  #hasOutput = false;
  #lastLife = performance.now();

  constructor({ firstTextMs, idleMs }: { firstTextMs: number; idleMs: number }) {
    this.#idleMs = idleMs;
    this.#timer = setTimeout(() => this.#giveUp(), firstTextMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  noteLife(): void {
    this.#lastLife = performance.now();
  }

  /** Notes that text or reasoning has arrived; its bytes were noted before. */
  noteOutput(): void {
    if (this.#hasOutput) return;
    this.#hasOutput = true;
    this.#arm(this.#idleMs);
  }

  #arm(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const leftMs = this.#lastLife + this.#idleMs - performance.now();
      if (leftMs > 1) this.#arm(leftMs);
      else this.#giveUp();
    }, delayMs);
  }

  #giveUp(): void {
    this.#abort.abort(new ModelError("assistant-stalled"));
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
