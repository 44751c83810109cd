import * as z from "zod/mini";
import { parseJson } from "../api/api-error.ts";
import { log } from "../app/log.ts";

const sendKeySchema = z.object({ text: z.string(), model: z.string(), key: z.string() });

/** One intended send: the same words to the same model under the same key are one message, however often sent. */
export type SendKey = z.output<typeof sendKeySchema>;

/** The latest send of each place that has no answer yet, kept over a reload: the server may have taken it. */
export class SendKeys {
  readonly #prefix: string;

  constructor(account: string) {
    this.#prefix = `sending:${account}:`;
  }

  read(place: string): SendKey | null {
    try {
      const stored = localStorage.getItem(this.#prefix + place);
      if (stored === null) return null;
      const parsed = sendKeySchema.safeParse(parseJson(stored));
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  }

  write(place: string, { text, model, key }: SendKey): void {
    try {
      localStorage.setItem(this.#prefix + place, JSON.stringify({ text, model, key }));
    } catch (cause) {
      log.warn("The name of a send could not be kept in this browser", cause);
    }
  }

  remove(place: string): void {
    try {
      localStorage.removeItem(this.#prefix + place);
    } catch {
      // Without a storage there is nothing to remove.
    }
  }

  clear(): void {
    for (const key of Object.keys(localStorage)) if (key.startsWith(this.#prefix)) localStorage.removeItem(key);
  }
}
