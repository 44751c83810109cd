import { afterLetters, isLetterWaiting, isTyping } from "./typing.ts";

/** Length of a reply (UTF-16 units) below which painting is cheap. */
const CHEAP_LENGTH = 16 * 1024;
const CHEAP_INTERVAL_MS = 50;
const INTERVAL_MS = 100;
/** Interval while the user types, unless a letter has just been painted. */
const TYPING_INTERVAL_MS = 200;
/** Text painted in one task (UTF-16 units): rows of a table of this length take about 20 ms on a common machine. */
const MOST_AT_ONCE = 2000;
/**
 * Of a very long reply at least this share is painted in one task. Each task passes over the whole text: with a fixed
 * share the work for a backlog is linear in its length. Text of this length is beyond the budget of Markdown.
 */
const SHARE_AT_ONCE = 1 / 25;
/** Interval while more text is waiting, after the network or the main thread was busy. */
const BACKLOG_INTERVAL_MS = 16;

/**
 * Batches the text of one reply and paints it at most every 50 ms, or every 100 ms for a long reply. Uses a timer
 * instead of animation frames, which hidden tabs do not have. The first text is painted at once. While the user types,
 * text is painted after a letter, so that the next letter does not wait for it. A visible page paints a backlog in
 * several tasks, also after the end of the stream ({@link WordPainter.drain}).
 */
export class WordPainter {
  readonly #paint: (text: string) => void;
  #length: number;
  #waiting = "";
  #gaveAt = Number.NEGATIVE_INFINITY;
  /** Length of the text that was painted last (UTF-16 units). */
  #gave = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unfollow: (() => void) | undefined;
  /** Resolves the pending {@link drain}. */
  #endDrain: (() => void) | undefined;

  /** `length`: length of the existing text. */
  constructor(length: number, paint: (text: string) => void) {
    this.#length = length;
    this.#paint = paint;
  }

  push(text: string): void {
    this.#waiting += text;
    this.#unfollow ??= afterLetters(this.#onLetter);
    if (this.#timer !== undefined) return;
    if (this.#length > 0 && isTyping()) this.#timer = setTimeout(this.#tick, TYPING_INTERVAL_MS);
    else this.#tick();
  }

  /** Whether the promise of {@link drain} is pending. */
  get isDraining(): boolean {
    return this.#endDrain !== undefined;
  }

  /**
   * Paints the buffered text in several tasks, and resolves when all of it is painted. {@link flush} and hiding the page
   * paint the rest at once. No text may arrive meanwhile.
   */
  async drain(): Promise<void> {
    // The last text may have been painted in this task.
    const isShort = this.#gave + this.#waiting.length <= this.#mostAtOnce;
    if (!isShort && !document.hidden) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#endDrain = resolve;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#tick, BACKLOG_INTERVAL_MS);
      // The timers of a hidden page are slowed down.
      const onHide = () => document.hidden && this.flush();
      document.addEventListener("visibilitychange", onHide);
      await promise;
      document.removeEventListener("visibilitychange", onHide);
      this.#endDrain = undefined;
    }
    this.flush();
  }

  /** Paints the buffered text, and stops the timer until more arrives. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#give(this.#waiting.length);
    this.#endDrain?.();
  }

  #tick = (): void => {
    this.#timer = undefined;
    if (this.#waiting === "") return;
    if (isLetterWaiting()) {
      this.#timer = setTimeout(this.#tick);
      return;
    }
    this.#give(document.hidden ? this.#waiting.length : this.#mostAtOnce);
    if (this.#waiting === "") this.#endDrain?.();
    const interval = this.#waiting === "" ? this.#interval : BACKLOG_INTERVAL_MS;
    this.#timer = setTimeout(this.#tick, isTyping() ? TYPING_INTERVAL_MS : interval);
  };

  #onLetter = (): void => {
    if (performance.now() - this.#gaveAt < this.#interval) return;
    clearTimeout(this.#timer);
    this.#tick();
  };

  get #interval(): number {
    return this.#length < CHEAP_LENGTH ? CHEAP_INTERVAL_MS : INTERVAL_MS;
  }

  get #mostAtOnce(): number {
    return Math.max(MOST_AT_ONCE, Math.floor(this.#length * SHARE_AT_ONCE));
  }

  #give(most: number): void {
    if (this.#waiting === "") return;
    const isPairCut = (this.#waiting.codePointAt(most - 1) ?? 0) > 0xffff;
    const end = isPairCut ? most - 1 : most;
    const text = this.#waiting.slice(0, end);
    this.#waiting = this.#waiting.slice(end);
    this.#length += text.length;
    this.#gaveAt = performance.now();
    this.#gave = text.length;
    this.#paint(text);
  }
}
