import {
  type AttachedFile,
  FILE_NAME_HEADER,
  UPLOAD_LENGTH_HEADER,
  UPLOAD_OFFSET_HEADER,
  type Upload,
  uploadSchema,
} from "#contract/files/files.ts";
import { filePaths } from "#contract/files/paths.ts";
import { MINUTE } from "#contract/limits.ts";
import { wellFormed } from "#contract/text/well-formed.ts";
import { parseJson } from "../../api/api-error.ts";
import { Backoff } from "../../api/backoff.ts";
import { type Api, ApiError, readApiError, type Transport } from "../../api/client.ts";
import { wait } from "../../api/wait.ts";
import { FileFailure, isPassing } from "../upload-failure.ts";
import { PieceSize } from "./piece-size.ts";
import type { ProgressTransport } from "./upload-transport.ts";

/** Longest wait that the server can ask for before an attempt. */
const ASKED_MAX_MS = 2 * MINUTE;
/** Contradictory answers about the position, without progress between them, after which an upload fails. */
const MOVES_MAX = 5;

/**
 * Dependencies and reports of an upload. `onSent`: bytes that were sent, of the whole file. `onWait`: called before a
 * wait for the server or the network; `onSent` follows when the upload continues.
 */
export type UploadDeps = {
  api: Pick<Api, "open" | "delete">;
  transport: ProgressTransport;
  signal: AbortSignal;
  onSent: (bytes: number) => void;
  onWait: () => void;
};

/** A file to upload. `bytes` null: they are no longer here; the server may have all of them. */
export type UploadSource = { id: string; name: string; bytes: Blob | null };

/**
 * Uploads one file in pieces, and continues where it was after any failure. The server reports the position after a
 * failure, and decides: bytes are sent once.
 */
export class FileUpload {
  readonly #source: UploadSource;
  readonly #deps: UploadDeps;
  readonly #path: string;
  readonly #pieces = new PieceSize();
  readonly #backoff = new Backoff();
  /** Bytes that the server has; null if only the server knows. */
  #stored: number | null;
  /** Bytes of the whole file, as the server has it. */
  #total: number;
  #moves = 0;

  /** @param isFresh the server has nothing of the file yet, so that it need not be asked */
  constructor(source: UploadSource, deps: UploadDeps, isFresh: boolean) {
    this.#source = source;
    this.#deps = deps;
    this.#path = filePaths.file(source.id);
    this.#stored = isFresh ? 0 : null;
    this.#total = source.bytes?.size ?? 0;
  }

  /**
   * Resolves once the server has read the whole file. Rejects with the signal's reason, with an {@link ApiError}, or
   * with a {@link FileFailure} `file-gone` if the bytes can be read neither here nor there.
   */
  async run(): Promise<AttachedFile> {
    for (;;) {
      try {
        return await this.#transfer();
      } catch (cause) {
        this.#deps.signal.throwIfAborted();
        await this.#recover(cause);
      }
    }
  }

  async #transfer(): Promise<AttachedFile> {
    if (this.#stored === null) {
      this.#stored = await this.#askPosition();
      this.#deps.onSent(this.#stored);
    }
    for (;;) {
      const { stored, file } = await this.#sendPiece(this.#stored);
      this.#backoff.reset();
      if (file) return file;
      if (stored > this.#stored) this.#moves = 0;
      this.#stored = stored;
      this.#deps.onSent(stored);
    }
  }

  /** Sends the next piece; without one left, asks the server to finish. */
  async #sendPiece(from: number): Promise<Upload> {
    const total = this.#total;
    const to = Math.min(from + this.#pieces.bytes, total);
    if (from >= to) return this.#put(`bytes */${total}`, null, total);
    const piece = await this.#read(from, to);
    const began = Date.now();
    const answer = await this.#put(`bytes ${from}-${to - 1}/${total}`, piece, from);
    // The last answer includes the time in which the server reads the file.
    if (to < total) this.#pieces.sent(Date.now() - began);
    return answer;
  }

  /** Reads into memory: a file that was changed or removed since it was chosen fails here, and not as a lost network. */
  async #read(from: number, to: number): Promise<Blob> {
    try {
      const bytes = await this.#source.bytes?.slice(from, to).arrayBuffer();
      return new Blob(bytes ? [bytes] : []);
    } catch (cause) {
      throw new FileFailure("file-gone", { cause });
    }
  }

  async #put(range: string, body: Blob | null, from: number): Promise<Upload> {
    const { api, signal, onSent, transport } = this.#deps;
    const headers = {
      "content-type": "application/octet-stream",
      "content-range": range,
      [FILE_NAME_HEADER]: encodeURIComponent(wellFormed(this.#source.name)),
    };
    const sending: { body?: Blob; transport: Transport } = {
      transport: transport((sent) => onSent(from + sent)),
      ...(body && { body }),
    };
    const response = await api.open(this.#path, { method: "PUT", headers, signal, ...sending });
    if (!response.ok) throw await readApiError(response);
    const parsed = uploadSchema.safeParse(parseJson(await response.text()));
    if (parsed.success) return parsed.data;
    throw new ApiError(0, "Unexpected answer", { code: "unexpected-answer" });
  }

  /** Returns the number of bytes that the server has of the file. */
  async #askPosition(): Promise<number> {
    const { api, signal } = this.#deps;
    const { bytes } = this.#source;
    const response = await api.open(this.#path, { method: "HEAD", signal });
    if (response.status === 404) {
      if (!bytes) throw new FileFailure("file-gone");
      this.#total = bytes.size;
      return 0;
    }
    if (!response.ok) throw await readApiError(response);
    const stored = Number(response.headers.get(UPLOAD_OFFSET_HEADER));
    this.#total = Number(response.headers.get(UPLOAD_LENGTH_HEADER));
    // A whole file counts, whatever its length: the server removes metadata of pictures.
    if (stored === this.#total) return stored;
    if (!bytes) throw new FileFailure("file-gone");
    if (this.#total === bytes.size) return stored;
    // The picture was prepared again, with another result.
    await api.delete(this.#path, { signal });
    this.#total = bytes.size;
    return 0;
  }

  /** Waits before the next attempt. Rejects with `cause` if another attempt is of no use. */
  async #recover(cause: unknown): Promise<void> {
    const { signal, onWait } = this.#deps;
    this.#stored = null;
    if (isMoved(cause)) {
      this.#moves += 1;
      if (this.#moves > MOVES_MAX) throw cause;
      return;
    }
    if (!isPassing(cause)) throw cause;
    this.#pieces.lost();
    onWait();
    const pause = this.#backoff.next();
    if (pause === null) throw cause;
    await wait(Math.max(pause, Math.min(cause.retryAfterMs ?? 0, ASKED_MAX_MS)), signal);
    while (!navigator.onLine) await wait(MINUTE, signal);
  }
}

/** Whether the server knows another position or length, or has removed the file meanwhile. */
function isMoved(cause: unknown): boolean {
  if (!(cause instanceof ApiError)) return false;
  return cause.code === "upload-moved" || (cause.status === 404 && cause.code === "not-found");
}
