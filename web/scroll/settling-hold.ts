/** Time (ms) without a movement after which nothing is moved any more: replies are rendered, code is highlighted. */
const SETTLED_MS = 3000;
const READER_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

export type Held = {
  /** The scrolled box. */
  box: Element;
  /** The list of messages in it. */
  list: Element;
  /** Scrolls the box so that the held content is where it should be. */
  adjust: () => void;
  /** Whether there is work that may still move the content. */
  isBusy?: () => boolean;
};

/**
 * Holds content at its position in a scrolled box while other content above and in it grows: until the reader acts or
 * nothing has moved for a while. The end is counted from the last movement, because a slow machine renders for longer
 * than any fixed time.
 */
export class SettlingHold {
  readonly #held: Held;
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  constructor(held: Held) {
    this.#held = held;
    const { signal } = this.#ending;
    for (const name of READER_EVENTS) document.addEventListener(name, () => this.end(), { signal, passive: true });
    const sizes = new ResizeObserver(() => this.update());
    signal.addEventListener("abort", () => sizes.disconnect());
    sizes.observe(held.list);
    sizes.observe(held.box);
    this.#endLater();
    this.update();
  }

  get isOver(): boolean {
    return this.#ending.signal.aborted;
  }

  update(): void {
    if (!this.#held.list.isConnected) this.end();
    if (this.isOver) return;
    const before = this.#held.box.scrollTop;
    this.#held.adjust();
    if (this.#held.box.scrollTop !== before) this.#endLater();
  }

  end(): void {
    this.#stop();
    this.#ending.abort();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
  }

  #endLater(): void {
    this.#stop();
    this.#timer = setTimeout(() => {
      // A long task delays timers and frames alike: sizes that it changed are seen in the next frame.
      this.#frame = requestAnimationFrame(() => {
        this.#timer = setTimeout(() => (this.#held.isBusy?.() ? this.#endLater() : this.end()));
      });
    }, SETTLED_MS);
  }
}
