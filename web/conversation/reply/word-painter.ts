/** Below this length of a reply (UTF-16 units) painting is cheap. */
const CHEAP_LENGTH = 16 * 1024;
const CHEAP_INTERVAL_MS = 50;
const INTERVAL_MS = 100;

/**
 * Gathers the words of one reply and gives them out at most every 50 ms, every 100 ms once the reply is long. By timer,
 * not by frame: a hidden tab has no frames. The first words go out at once.
 */
export class WordPainter {
  readonly #paint: (text: string) => void;
  #length: number;
  #waiting = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `length`: what the reply already has. */
  constructor(length: number, paint: (text: string) => void) {
    this.#length = length;
    this.#paint = paint;
  }

  push(text: string): void {
    this.#waiting += text;
    if (this.#timer === undefined) this.#turn();
  }

  /** Gives out what waits, and rests until the next words. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#give();
  }

  #turn = (): void => {
    this.#timer = undefined;
    if (this.#waiting === "") return;
    this.#give();
    this.#timer = setTimeout(this.#turn, this.#length < CHEAP_LENGTH ? CHEAP_INTERVAL_MS : INTERVAL_MS);
  };

  #give(): void {
    if (this.#waiting === "") return;
    const text = this.#waiting;
    this.#waiting = "";
    this.#length += text.length;
    this.#paint(text);
  }
}
