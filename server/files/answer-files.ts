import type { PictureLoss } from "#contract/conversation/known-parts.ts";
import { type AttachedFile, type PictureType, pictureTypes } from "#contract/files/files.ts";
import { cleanFileName } from "#contract/text/file-name.ts";
import type { Clock } from "../concurrency/clock.ts";
import { type DiskFloor, refuseBelowFloor } from "../config/disk-space.ts";
import { newId } from "../database/new-id.ts";
import type { Database, FileRow } from "../database/schema.ts";
import { Failure } from "../failure.ts";
import type { Log } from "../log.ts";
import { cutChars } from "../text/cut-chars.ts";
import { deleteUnsent, toAttachedFile } from "./attached-file-store.ts";
import type { AttachmentReader, AttachmentReading } from "./attachment-reader.ts";
import type { ByteSource } from "./byte-source.ts";
import { MAX_TEXT_CHARS } from "./documents/document-text.ts";
import { type FileReading, makeFileReady, newFileRow, reserveFile } from "./file-rows.ts";
import { bytesOf } from "./pictures/read-picture.ts";
import { memorySource } from "./readable-file.ts";
import type { FileStore } from "./stores/file-store.ts";
import type { FileSettings } from "./uploads.ts";

export type AnswerFilesDeps = {
  database: Database;
  clock: Clock;
  log: Log;
  files: FileStore;
  reader: AttachmentReader;
  floor: DiskFloor;
  settings: FileSettings;
};

/** `position`: number of the answer's pictures before this one. */
export type AnswerPicture = { userId: string; bytes: Buffer; position: number };

/** The rest of a result of a tool. `position`: number of the answer's files before this one. */
export type AnswerText = { userId: string; name: string; text: string; position: number };

/** Answers have no network of their own: the pictures of all accounts wait in one rotation. */
const NETWORK = "answers";

const extensions: Readonly<Record<PictureType, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/webp": "webp",
  "image/gif": "gif",
};

const losses: Readonly<Record<string, PictureLoss>> = {
  "quota-reached": "quota",
  "file-too-large": "large",
  "picture-too-large": "large",
  "file-type": "unreadable",
  "file-broken": "unreadable",
  "files-off": "off",
  "too-many-files": "many",
};

/** A file that is about to be stored. `source`: its bytes, of which `reading` says what is stored. */
type NewFile = { userId: string; name: string; source: ByteSource; reading: AttachmentReading };

/**
 * Stores files of answers as those of their accounts: pictures, checked and without metadata, as uploads are, and the rests
 * of long results of tools. A file is removed by the sweep unless its message names it within a day.
 */
export class AnswerFiles {
  readonly #deps: AnswerFilesDeps;

  constructor(deps: AnswerFilesDeps) {
    this.#deps = deps;
  }

  /** Stores a picture. @returns its file, or why there is none; never throws */
  storePicture(picture: AnswerPicture): Promise<AttachedFile | PictureLoss> {
    return this.#orLoss(this.#storePicture(picture));
  }

  /** Stores a text. @returns its file, or why there is none; never throws */
  storeText(text: AnswerText): Promise<AttachedFile | PictureLoss> {
    return this.#orLoss(this.#storeText(text));
  }

  async #orLoss(storing: Promise<AttachedFile>): Promise<AttachedFile | PictureLoss> {
    try {
      return await storing;
    } catch (error) {
      const loss = error instanceof Failure ? losses[error.code] : undefined;
      if (!loss) this.#deps.log.warn({ err: error }, "file of an answer could not be stored");
      return loss ?? "failed";
    }
  }

  async #storePicture({ userId, bytes, position }: AnswerPicture): Promise<AttachedFile> {
    await this.#check({ size: bytes.length, position });
    const source = memorySource(bytes);
    const reading = await this.#deps.reader.readPicture(source, { network: NETWORK, account: userId });
    const extension = pictureTypes.find((each) => each === reading.facts.type);
    const name = `picture-${position + 1}.${extension ? extensions[extension] : ""}`;
    return this.#store({ userId, name, source, reading });
  }

  async #storeText({ userId, name, text: given, position }: AnswerText): Promise<AttachedFile> {
    // PostgreSQL stores no such character in a text.
    const whole = given.replaceAll("\0", "");
    const text = cutChars(whole, MAX_TEXT_CHARS);
    const bytes = Buffer.from(whole);
    const size = bytes.length;
    await this.#check({ size, position });
    const remark = text.length < whole.length ? "cut" : null;
    const facts = { type: "text/plain", size, width: null, height: null, pages: null, remark } as const;
    const reading = { facts, pieces: [{ from: 0, to: size }], text };
    return this.#store({ userId, name: cleanFileName(name), source: memorySource(bytes), reading });
  }

  /** @throws Failure `files-off`, `file-too-large`, `too-many-files`, or of the disk */
  async #check({ size, position }: { size: number; position: number }): Promise<void> {
    const { floor, settings } = this.#deps;
    if (settings.maxFileBytes === 0) throw new Failure("files-off");
    if (size > settings.maxFileBytes) throw new Failure("file-too-large");
    if (position >= settings.maxFilesPerMessage) throw new Failure("too-many-files");
    await refuseBelowFloor(floor);
  }

  async #store({ userId, name, source, reading }: NewFile): Promise<AttachedFile> {
    const { database, clock, files, settings } = this.#deps;
    const { size } = reading.facts;
    const row = newFileRow({ user_id: userId, id: newId(), name, size, created_at: clock.now() });
    await database.transaction().execute((db) => reserveFile(db, row, settings));
    try {
      await files.put(row.key, bytesOf(source, reading.pieces));
      return await this.#makeReady(row, reading);
    } catch (error) {
      await this.#remove(row);
      throw error;
    }
  }

  async #makeReady(row: FileRow, reading: FileReading): Promise<AttachedFile> {
    const ready = await this.#deps.database.transaction().execute((db) => makeFileReady(db, row, reading));
    // The account was deleted meanwhile.
    if (!ready) throw new Failure("not-found");
    return toAttachedFile({ ...row, ...reading.facts });
  }

  /** What cannot be removed now is left to the sweep. */
  async #remove({ user_id: userId, id, key }: FileRow): Promise<void> {
    const { database, files, log } = this.#deps;
    await deleteUnsent(database, userId, id)
      .then(() => files.delete(key))
      .catch((error: unknown) => log.warn({ err: error }, "file of an answer is removed later"));
  }
}
