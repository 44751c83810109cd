import * as z from "zod/mini";
import { readStoredJson, storedKeys, writeStorage } from "../storage/browser-storage.ts";
import { Draft, draftedFilesSchema } from "./draft.ts";

const storedSchema = z.object({
  text: z.string(),
  files: z.optional(draftedFilesSchema),
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

  read(draftKey: string): SendKey | null {
    const { data } = storedSchema.safeParse(readStoredJson(this.#prefix + draftKey));
    if (!data) return null;
    const { text, files, ...sent } = data;
    return { ...sent, draft: new Draft(text, files) };
  }

  write(draftKey: string, { draft, model, key, after }: SendKey): void {
    const files = draft.files.length > 0 ? draft.files : undefined;
    const stored = JSON.stringify({ text: draft.text, files, model, key, after });
    writeStorage(this.#prefix + draftKey, stored, "The name of a send");
  }

  remove(draftKey: string): void {
    writeStorage(this.#prefix + draftKey, null);
  }

  clear(): void {
    for (const draftKey of storedKeys(this.#prefix)) this.remove(draftKey);
  }
}
