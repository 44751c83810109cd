import { SECOND } from "#contract/limits.ts";
import { onReturn } from "./on-return.ts";

/** The connection was silent for longer than the keep-alive interval allows. */
export class SilenceError extends Error {
  override name = "SilenceError";
}

/**
 * Decodes the body into text, in whole characters, wherever the network has cut its bytes. Rejects with {@link
 * SilenceError} after `silenceMs` without bytes.
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
    // If the reader stops early, its connection must close; a broken connection has nothing left to cancel.
    reader.cancel().catch(() => {});
  }
}

/** The server sends a keep-alive every 15 s. */
const LIFE_MS = 16 * SECOND;

/**
 * Timeout for a silent connection, with one timer for all chunks, of which there may be hundreds a second. A connection
 * seldom survives a network loss or sleep, but may not report that: a return gives it up early.
 */
class SilenceWatch {
  readonly #silenceMs: number;
  readonly #endListening: () => void;
  /** Undefined once it has fired. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #began = Date.now();
  #giveUp = () => {};

  constructor(silenceMs: number) {
    this.#silenceMs = silenceMs;
    this.#timer = setTimeout(this.#check, silenceMs);
    this.#endListening = onReturn((how) => {
      if (how === "online" || Date.now() - this.#began > LIFE_MS) this.#giveUp();
    });
  }

  /** Rejects after too long a silence. */
  during<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#began = Date.now();
      this.#timer ??= setTimeout(this.#check, this.#silenceMs);
      this.#giveUp = () => reject(new SilenceError("The stream fell silent"));
      work.then(resolve, reject);
    });
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#endListening();
  }

  #check = (): void => {
    const leftMs = this.#began + this.#silenceMs - Date.now();
    this.#timer = undefined;
    if (leftMs <= 0) this.#giveUp();
    else this.#timer = setTimeout(this.#check, Math.min(leftMs, this.#silenceMs));
  };
}
