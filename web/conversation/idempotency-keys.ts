import * as z from "zod/mini";
import { attachedFileSchema } from "#contract/files.ts";
import { readStoredJson, storedKeys, writeStorage } from "../storage/browser-storage.ts";
import { Draft } from "./draft.ts";

const storedSchema = z.object({
  text: z.string(),
  files: z.optional(z.array(attachedFileSchema)),
  model: z.string(),
  key: z.string(),
  after: z.optional(z.string()),
});

/**
 * Idempotency key of one intended send: the same text and files to the same model under one key is one message, however often it
 * is sent. `after`: id of the answer that a queued message follows.
 */
export type SendKey = { draft: Draft; model: string; key: string; after?: string | undefined };

/** The latest unanswered send of each location, stored across reloads: the server may have accepted it. */
export class SendKeys {
  readonly #prefix: string;

  constructor(account: string) {
    this.#prefix = `sending:${account}:`;
  }

  read(place: string): SendKey | null {
    const { data } = storedSchema.safeParse(readStoredJson(this.#prefix + place));
    if (!data) return null;
    const { text, files, ...sent } = data;
    return { ...sent, draft: new Draft(text, files) };
  }

  write(place: string, { draft, model, key, after }: SendKey): void {
    const files = draft.files.length > 0 ? draft.files : undefined;
    const stored = JSON.stringify({ text: draft.text, files, model, key, after });
    writeStorage(this.#prefix + place, stored, "The name of a send");
  }

  remove(place: string): void {
    writeStorage(this.#prefix + place, null);
  }

  clear(): void {
    for (const place of storedKeys(this.#prefix)) this.remove(place);
  }
}
