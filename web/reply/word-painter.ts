import { afterLetters, isLetterWaiting, isTyping } from "./typing.ts";

/** Below this length of a reply (UTF-16 units) painting is cheap. */
const CHEAP_LENGTH = 16 * 1024;
const CHEAP_INTERVAL_MS = 50;
const INTERVAL_MS = 100;
/** Of somebody who writes meanwhile, unless a letter has just been painted. */
const TYPING_INTERVAL_MS = 200;

/**
 * Gathers the words of one reply and gives them out at most every 50 ms, every 100 ms once the reply is long. By timer,
 * not by frame: a hidden tab has no frames. The first words go out at once. While somebody writes, they go out behind the
 * paint of a letter, so that the next letter does not wait for them.
 */
export class WordPainter {
  readonly #paint: (text: string) => void;
  #length: number;
  #waiting = "";
  #gaveAt = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unfollow: (() => void) | undefined;

  /** `length`: what the reply already has. */
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

  /** Gives out what waits, and rests until the next words. */
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
