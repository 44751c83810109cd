import * as z from "zod/mini";
import { readStoredJson, storedKeys, writeStorage } from "../storage/browser-storage.ts";

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
    return sendKeySchema.safeParse(readStoredJson(this.#prefix + place)).data ?? null;
  }

  write(place: string, { text, model, key }: SendKey): void {
    writeStorage(this.#prefix + place, JSON.stringify({ text, model, key }), "The name of a send");
  }

  remove(place: string): void {
    writeStorage(this.#prefix + place, null);
  }

  clear(): void {
    for (const place of storedKeys(this.#prefix)) this.remove(place);
  }
}
