import * as z from "zod/mini";
import { readStoredJson, storedKeys, writeStorage } from "../storage/browser-storage.ts";
import { Draft } from "./draft.ts";

const storedSchema = z.object({ text: z.string(), model: z.string(), key: z.string() });

/** One intended send: the same words to the same model under the same key are one message, however often sent. */
export type SendKey = { draft: Draft; model: string; key: string };

/** The latest send of each place that has no answer yet, kept over a reload: the server may have taken it. */
export class SendKeys {
  readonly #prefix: string;

  constructor(account: string) {
    this.#prefix = `sending:${account}:`;
  }

  read(place: string): SendKey | null {
    const { data } = storedSchema.safeParse(readStoredJson(this.#prefix + place));
    return data ? { draft: new Draft(data.text), model: data.model, key: data.key } : null;
  }

  write(place: string, { draft, model, key }: SendKey): void {
    writeStorage(this.#prefix + place, JSON.stringify({ text: draft.text, model, key }), "The name of a send");
  }

  remove(place: string): void {
    writeStorage(this.#prefix + place, null);
  }

  clear(): void {
    for (const place of storedKeys(this.#prefix)) this.remove(place);
  }
}
