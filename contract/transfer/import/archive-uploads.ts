import * as z from "zod/mini";
import type { ErrorCode } from "../../errors.ts";
import { fileIdSchema } from "../../files/files.ts";
import type { ArchivedFile, FileBytes } from "../archive/file-bytes.ts";
import { FileRefusal } from "../archive/file-refusal.ts";

/** A file that a message names. */
export type NamedFile = { id: string; name: string };

/** A file that was not uploaded, and why. */
export type LostFile = { name: string; code: ErrorCode };

/**
 * Stores a file under its id. A file that the account has already is not changed.
 * @param onSent receives the number of bytes that were sent so far
 * @returns the reason why the file is refused; null if it is stored
 * @throws any error that does not concern the file
 */
export type UploadFile<B extends FileBytes> = (
  file: NamedFile & { bytes: B },
  onSent: (bytes: number) => void,
) => Promise<ErrorCode | null>;

/** Removes a file that no message names. @throws if the file remains */
export type RemoveFile = (id: string) => Promise<unknown>;

type ArchiveUploadsDeps<B extends FileBytes> = {
  files: ReadonlyMap<string, ArchivedFile<B>>;
  upload: UploadFile<B>;
  remove: RemoveFile;
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
export class ArchiveUploads<B extends FileBytes> {
  readonly #deps: ArchiveUploadsDeps<B>;
  readonly #handled = new Set<string>();
  /** Files whose upload was begun, and that were not removed since. */
  readonly #begun = new Set<string>();
  readonly #lost: LostFile[] = [];
  #taken = 0;
  #sentBytes = 0;
  /** Set once the server has refused a file because it takes none. */
  #isOff = false;

  constructor(deps: ArchiveUploadsDeps<B>) {
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
    const parsed = namingSchema.safeParse(parsedJson(chat));
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
   * @throws as {@link UploadFile}
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
    const removals = begun.map(async ({ id }) => {
      await this.#deps.remove(id);
      this.#onRemoved(id);
    });
    await Promise.allSettled(removals);
  }

  #onRemoved(id: string): void {
    this.#begun.delete(id);
    // A file whose upload was stopped was not counted.
    if (this.#handled.delete(id)) this.#taken--;
  }

  /** @returns the reason why a file is lost; null if the server has it */
  async #uploadOne({ id, name }: NamedFile, archived: ArchivedFile<B>): Promise<ErrorCode | null> {
    if (this.#isOff) return "files-off";
    const before = this.#sentBytes;
    const onSent = (bytes: number) => this.#report(before + Math.min(bytes, archived.size));
    try {
      const bytes = await archived.read();
      this.#begun.add(id);
      const code = await this.#deps.upload({ id, name, bytes }, onSent);
      this.#isOff = code === "files-off";
      return code;
    } catch (cause) {
      if (!(cause instanceof FileRefusal)) throw cause;
      return cause.reason === "broken-archive" ? "file-broken" : "file-too-large";
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

/** Whether a failed upload concerns its file or all files, so that the chats are imported without it. */
export const isFileRefusal = (code: string): code is ErrorCode => refusals.has(code);

/** Parses JSON; undefined for invalid JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
