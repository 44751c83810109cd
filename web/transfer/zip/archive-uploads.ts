import * as z from "zod/mini";
import { type ErrorCode, isErrorCode } from "#contract/errors.ts";
import { fileIdSchema } from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { FileRefusal } from "#contract/transfer/archive/file-refusal.ts";
import { parseJson } from "../../api/api-error.ts";
import { ApiError, api } from "../../api/client.ts";
import { FileUpload } from "../../files/upload/file-upload.ts";
import type { ProgressTransport } from "../../files/upload/upload-transport.ts";
import { FileFailure, failureOf } from "../../files/upload-failure.ts";
import type { ArchivedFile } from "./export-archive.ts";

/** A file that a message names. */
export type NamedFile = { id: string; name: string };

/** A file that was not uploaded, and why. */
export type LostFile = { name: string; code: ErrorCode };

export type ArchiveUploadsDeps = {
  files: ReadonlyMap<string, ArchivedFile>;
  transport: ProgressTransport;
  signal: AbortSignal;
  onProgress: () => void;
};

const namingSchema = z.object({
  messages: z.array(z.object({ parts: z.optional(z.array(z.unknown())) })),
});
const namedFileSchema = z.object({ kind: z.literal("file"), id: fileIdSchema, name: z.string() });

/**
 * Uploads files of an archive under their ids, each once. An account that has a file already keeps it: uploads can be
 * repeated after any failure.
 */
export class ArchiveUploads {
  readonly #deps: ArchiveUploadsDeps;
  readonly #handled = new Set<string>();
  /** Files whose upload was begun, and that were not removed since. */
  readonly #begun = new Set<string>();
  readonly #lost: LostFile[] = [];
  #taken = 0;
  #sentBytes = 0;
  /** Set once the server has refused a file because it takes none. */
  #isOff = false;

  constructor(deps: ArchiveUploadsDeps) {
    this.#deps = deps;
  }

  /** Number of files that the server has taken. */
  get taken(): number {
    return this.#taken;
  }

  get lost(): readonly LostFile[] {
    return this.#lost;
  }

  /** Bytes of the files that were handled, and those that were sent of the current one. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** Returns the files that a chat (JSON) names, of those that the archive has and that were not handled yet. */
  namedIn(chat: string): NamedFile[] {
    // Most chats name none, and parsing one of 16 MB takes a tenth of a second.
    if (!chat.includes('"file"')) return [];
    const parsed = namingSchema.safeParse(parseJson(chat));
    if (!parsed.success) return [];
    const named = new Map<string, NamedFile>();
    for (const part of parsed.data.messages.flatMap(({ parts = [] }) => parts)) {
      const file = namedFileSchema.safeParse(part);
      if (file.success && this.#isLeft(file.data)) named.set(file.data.id, file.data);
    }
    return [...named.values()];
  }

  #isLeft = ({ id }: NamedFile) => this.#deps.files.has(id) && !this.#handled.has(id);

  /**
   * Uploads files one after the other. A file that the server refuses, or that is damaged, is recorded as lost.
   * @throws ApiError if the server cannot be reached, or does not accept requests; the signal's reason
   */
  async upload(files: readonly NamedFile[]): Promise<void> {
    for (const file of files) {
      const archived = this.#deps.files.get(file.id);
      if (!archived || !this.#isLeft(file)) continue;
      const before = this.#sentBytes;
      const code = await this.#uploadOne(file, archived);
      this.#handled.add(file.id);
      if (code === null) this.#taken++;
      else this.#lost.push({ name: file.name, code });
      this.#report(before + archived.size);
    }
  }

  /**
   * Removes those of these files that were uploaded here and that no message names: until then they count against the
   * account. They are uploaded again for the next chat that names them. Failures are ignored, because the server removes
   * such files after a day.
   */
  async removeUnnamed(files: readonly NamedFile[]): Promise<void> {
    const begun = files.filter(({ id }) => this.#begun.has(id));
    const removals = begun.map(({ id }) => api.delete(filePaths.file(id)).then(() => this.#onRemoved(id)));
    await Promise.allSettled(removals);
  }

  #onRemoved(id: string): void {
    this.#begun.delete(id);
    // A file whose upload was stopped was not counted.
    if (this.#handled.delete(id)) this.#taken--;
  }

  /** @returns the reason why a file is lost; null if the server has it */
  async #uploadOne({ id, name }: NamedFile, archived: ArchivedFile): Promise<ErrorCode | null> {
    const { transport, signal } = this.#deps;
    if (this.#isOff) return "files-off";
    const before = this.#sentBytes;
    const onSent = (bytes: number) => this.#report(before + Math.min(bytes, archived.size));
    try {
      const bytes = await archived.read();
      this.#begun.add(id);
      const deps = { api, transport, signal, onSent, onWait: () => {} };
      // As a new one, although the account may have it: then the first request is answered with the whole file.
      await new FileUpload({ id, name, bytes }, deps, true).run();
      return null;
    } catch (cause) {
      if (cause instanceof FileRefusal) return cause.reason === "broken-archive" ? "file-broken" : "file-too-large";
      const code = refusalOf(cause);
      if (code === null) throw cause;
      this.#isOff = code === "files-off";
      return code;
    }
  }

  #report(sentBytes: number): void {
    this.#sentBytes = sentBytes;
    this.#deps.onProgress();
  }
}

/** Refusals that concern a file or all files. Any other failure ends the import, which can be repeated. */
const refusals: ReadonlySet<string> = new Set<ErrorCode>([
  ...(["files-off", "file-too-large", "file-empty", "file-type", "file-broken", "picture-too-large"] as const),
  ...(["too-many-files", "quota-reached", "storage-full", "file-gone", "upload-moved"] as const),
]);

function refusalOf(cause: unknown): ErrorCode | null {
  const isOne = cause instanceof ApiError || cause instanceof FileFailure;
  const { error } = failureOf(cause);
  return isOne && refusals.has(error) && isErrorCode(error) ? error : null;
}
