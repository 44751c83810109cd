import { SECOND } from "#contract/limits.ts";
import { onReturn } from "./on-return.ts";

/** The connection said nothing for longer than its signs of life allow. */
export class SilenceError extends Error {
  override name = "SilenceError";
}

/**
 * The body as text, whole characters at a time, however the network has cut its bytes. Rejects with
 * {@link SilenceError} when it says nothing for `silenceMs`.
 */
export async function* readText(response: Response, silenceMs: number | undefined): AsyncGenerator<string> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const silence = silenceMs === undefined ? undefined : new SilenceWatch(silenceMs);
  try {
    for (;;) {
      const { done, value } = await (silence ? silence.during(reader.read()) : reader.read());
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (text !== "") yield text;
      if (done) return;
    }
  } finally {
    silence?.end();
    // A reader left early must not hold its connection; a broken one has nothing left to cancel.
    reader.cancel().catch(() => {});
  }
}

/** The server gives a sign of life every 15 s. */
const LIFE_MS = 16 * SECOND;

/**
 * A connection seldom survives that the network was away or the computer asleep, but may not tell: then it is given up
 * at the return already. One timer for all its pieces, of which there may be hundreds a second.
 */
class SilenceWatch {
  readonly #silenceMs: number;
  readonly #endListening: () => void;
  /** Undefined once it has gone off. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #began = Date.now();
  #giveUp = () => {};

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.#timer = setTimeout(this.#look, silenceMs);
    this.#endListening = onReturn((how) => {
      if (how === "online" || Date.now() - this.#began > LIFE_MS) this.#giveUp();
    });
  }

  /** Rejects where nothing comes for too long. */
  during<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#began = Date.now();
      this.#timer ??= setTimeout(this.#look, this.#silenceMs);
      this.#giveUp = () => reject(new SilenceError("The stream fell silent"));
      work.then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#endListening();
  }

  #look = (): void => {
    const leftMs = this.#began + this.#silenceMs - Date.now();
    this.#timer = undefined;
    if (leftMs <= 0) this.#giveUp();
    else this.#timer = setTimeout(this.#look, Math.min(leftMs, this.#silenceMs));
  };
}
