import { afterLetters, isLetterWaiting, isTyping } from "./typing.ts";

/** Length of a reply (UTF-16 units) below which painting is cheap. */
const CHEAP_LENGTH = 16 * 1024;
const CHEAP_INTERVAL_MS = 50;
const INTERVAL_MS = 100;
/** Interval while the user types, unless a letter has just been painted. */
const TYPING_INTERVAL_MS = 200;

/**
 * Batches the text of one reply and paints it at most every 50 ms, or every 100 ms for a long reply. Uses a timer
 * instead of animation frames, which hidden tabs do not have. The first text is painted at once. While the user types,
 * text is painted after a letter, so that the next letter does not wait for it.
 */
export class WordPainter {
  readonly #paint: (text: string) => void;
  #length: number;
  #waiting = "";
  #gaveAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unfollow: (() => void) | undefined;

  /** `length`: length of the existing text. */
  constructor(length: number, paint: (text: string) => void) {
    this.#length = length;
    this.#paint = paint;
  }

  push(text: string): void {
    this.#waiting += text;
    this.#unfollow ??= afterLetters(this.#onLetter);
    if (this.#timer !== undefined) return;
    if (this.#length > 0 && isTyping()) this.#timer = setTimeout(this.#turn, TYPING_INTERVAL_MS);
    else this.#turn();
  }

  /** Paints the buffered text, and stops the timer until more arrives. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#give();
  }

  #turn = (): void => {
    this.#timer = undefined;
    if (this.#waiting === "") return;
    if (isLetterWaiting()) {
      this.#timer = setTimeout(this.#turn);
      return;
    }
    this.#give();
    this.#timer = setTimeout(this.#turn, isTyping() ? TYPING_INTERVAL_MS : this.#interval);
  };

  #onLetter = (): void => {
    if (performance.now() - this.#gaveAt < this.#interval) return;
    clearTimeout(this.#timer);
    this.#turn();
  };

  get #interval(): number {
    return this.#length < CHEAP_LENGTH ? CHEAP_INTERVAL_MS : INTERVAL_MS;
  }

  #give(): void {
    if (this.#waiting === "") return;
    const text = this.#waiting;
    this.#waiting = "";
    this.#length += text.length;
    this.#gaveAt = performance.now();
    this.#paint(text);
  }
}
