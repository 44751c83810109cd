import { createHash, type Hash } from "node:crypto";
import * as z from "zod/mini";
import { inChunks } from "../../files/stores/chunks.ts";
import { MissingObject } from "../../files/stores/file-store.ts";
import { isStoreKey } from "../../files/stores/store-key.ts";
import { Damage } from "./damage.ts";

/** Lines of a backup with the bytes of attached files, specified in docs/decisions/0022-backups-are-rows.md. */
const keySchema = z.string().check(z.refine(isStoreKey));
const pieceSchema = z.object({ attached: keySchema, base64: z.string() });
const endSchema = z.object({ attached: keySchema, size: z.int(), sha256: z.string() });

/** A piece of an attached file; the pieces follow each other. */
export type AttachedPiece = { key: string; bytes: Buffer };

/** A whole attached file. `size` in bytes; `sha256` in hex. */
export type AttachedEnd = { key: string; size: number; sha256: string };

/** Callbacks for attached files, each with its pieces in their order, then its end. */
export type AttachedReader = {
  onPiece?(piece: AttachedPiece): Promise<void> | void;
  onAttached?(file: AttachedEnd): Promise<void> | void;
};

/**
 * Yields the lines of a file.
 * @returns its size in bytes
 * @throws MissingObject before the first line, if it is not stored; what the iteration throws
 */
export async function* linesOfAttached(key: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown, number> {
  const hash = createHash("sha256");
  let size = 0;
  try {
    for await (const piece of inChunks(bytes)) {
      hash.update(piece);
      yield { attached: key, base64: piece.toString("base64") };
      size += piece.length;
    }
  } catch (error) {
    if (!(error instanceof MissingObject) || size === 0) throw error;
    throw new Error(`The attached file ${key} was deleted while it was read`, { cause: error });
  }
  yield { attached: key, size, sha256: hash.digest("hex") };
  return size;
}

/** Validates the lines of attached files and passes them to a reader. */
export class AttachedWalk {
  readonly #reader: AttachedReader;
  #open: { key: string; size: number; hash: Hash } | undefined;

  constructor(reader: AttachedReader) {
    this.#reader = reader;
  }

  /** Whether the end of a file is missing. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Returns whether the line belongs to an attached file. @throws Damage */
  async take(line: unknown): Promise<boolean> {
    const piece = pieceSchema.safeParse(line);
    if (piece.success) {
      const { attached: key, base64 } = piece.data;
      await this.#takePiece({ key, bytes: Buffer.from(base64, "base64") });
      return true;
    }
    const end = endSchema.safeParse(line);
    if (!end.success) return false;
    const { attached: key, size, sha256 } = end.data;
    await this.#takeEnd({ key, size, sha256 });
    return true;
  }

  async #takePiece(piece: AttachedPiece): Promise<void> {
    const open = this.#fileOf(piece.key);
    open.size += piece.bytes.length;
    open.hash.update(piece.bytes);
    await this.#reader.onPiece?.(piece);
  }

  async #takeEnd(end: AttachedEnd): Promise<void> {
    const { size, hash } = this.#fileOf(end.key);
    this.#open = undefined;
    if (size !== end.size || hash.digest("hex") !== end.sha256) {
      throw new Damage(`the bytes of the attached file ${end.key} do not match their number and digest`);
    }
    await this.#reader.onAttached?.(end);
  }

  #fileOf(key: string): { key: string; size: number; hash: Hash } {
    this.#open ??= { key, size: 0, hash: createHash("sha256") };
    if (this.#open.key !== key) throw new Damage(`the end of the attached file ${this.#open.key} is missing`);
    return this.#open;
  }
}
