import * as z from "zod/mini";
import { type AttachedFile, attachedFileSchema } from "#contract/files/files.ts";
import { HOUR, UNSENT_FILE_LIFE_MS } from "#contract/limits.ts";
import { log } from "../../log.ts";
import type { RecordStore } from "../../storage/record-store.ts";

/**
 * What is stored of a file of a draft beside its bytes. `isPrepared`: the bytes are those to upload. `file`: as the
 * server has read it. `createdAt`: Unix time in ms.
 */
const recordSchema = z.object({
  name: z.string(),
  isPrepared: z.boolean(),
  createdAt: z.number(),
  file: z.optional(attachedFileSchema),
});
export type FileRecord = z.infer<typeof recordSchema>;

const factsKey = (id: string) => `${id}/facts`;
const bytesKey = (id: string) => `${id}/bytes`;
/** A file of a draft that another tab has not stored yet is younger. */
const STRAY_AGE_MS = HOUR;

/**
 * Files of drafts in the browser's storage, which survive the page. If the storage fails, the files live as long as the
 * page: no method rejects.
 */
export class StoredFiles {
  readonly #records: RecordStore;
  #hasFailed = false;

  constructor(records: RecordStore) {
    this.#records = records;
  }

  /** Returns a file; null if there is none. */
  async read(id: string): Promise<{ record: FileRecord; bytes: Blob } | null> {
    const found = await this.#attempt(async () => {
      const [facts, bytes] = [await this.#records.get(factsKey(id)), await this.#records.get(bytesKey(id))];
      const { data } = recordSchema.safeParse(facts);
      return data && bytes instanceof Blob ? { record: data, bytes } : null;
    });
    return found ?? null;
  }

  async write(id: string, record: FileRecord, bytes: Blob): Promise<void> {
    await this.#attempt(async () => {
      await this.#records.put(bytesKey(id), bytes);
      await this.#records.put(factsKey(id), record);
    });
  }

  /** Stores that the server has read the file. */
  async writeReady(id: string, file: AttachedFile): Promise<void> {
    await this.#attempt(async () => {
      const { data } = recordSchema.safeParse(await this.#records.get(factsKey(id)));
      if (data) await this.#records.put(factsKey(id), { ...data, file });
    });
  }

  async remove(id: string): Promise<void> {
    await this.#attempt(async () => {
      await this.#records.delete(factsKey(id));
      await this.#records.delete(bytesKey(id));
    });
  }

  /** Removes the files that belong to no draft any more, for example because their chat was deleted. */
  async sweep(isReferenced: (id: string) => boolean): Promise<void> {
    await this.#attempt(async () => {
      const ids = new Set((await this.#records.keys()).map((key) => key.slice(0, key.indexOf("/"))));
      for (const id of ids) {
        if (isReferenced(id)) continue;
        const { data } = recordSchema.safeParse(await this.#records.get(factsKey(id)));
        if (!data || data.createdAt < Date.now() - STRAY_AGE_MS) await this.remove(id);
      }
    });
  }

  close(): void {
    // What fails from now on is of no interest.
    this.#hasFailed = true;
    this.#records.close();
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      if (!this.#hasFailed) log.warn("Attached files could not be kept in this browser", cause);
      this.#hasFailed = true;
      return undefined;
    }
  }
}

/** Whether the server may have removed a file that was not sent. */
export const isExpired = ({ createdAt }: FileRecord): boolean => createdAt < Date.now() - UNSENT_FILE_LIFE_MS + HOUR;
