import { randomUUID } from "node:crypto";
import { field, textField } from "../../text/wire-json.ts";
import { base64Length } from "../attachments/file-plan.ts";
import type { PromptFile } from "../model.ts";
import { ModelError } from "../model-error.ts";

/** Body of a request that is sent in pieces. */
export type StreamedBody = {
  /** In bytes. */
  readonly length: number;
  /**
   * Returns its bytes in pieces of at most 64 KiB, anew for each call.
   * @throws FileUnreadable
   */
  open(): AsyncIterable<Uint8Array>;
  /** Returns the id of the file in a part of its JSON; undefined if there is none. @param path `messages.2.content.0` */
  fileAt(path: string): string | undefined;
};

/** Bytes of a file in one piece: a multiple of three, so that only the last piece of base64 has padding. */
const PIECE_BYTES = 48 * 1024;
/** Bytes of a piece of JSON, and of a piece of base64. */
const MAX_PIECE = 64 * 1024;

/**
 * The bytes of a file of a prompt could not be read, or are not as many as the prompt says. The fault is neither the
 * provider's nor the model's.
 */
export class FileUnreadable extends ModelError {
  constructor(cause: unknown) {
    super("assistant-failed", { cause, providerCode: "file_unreadable" });
  }

  override get trouble(): "prompt" {
    return "prompt";
  }
}

/**
 * Files within the body of one request. Their places in the JSON are held by random marks; the bytes are read and
 * encoded only while the body is sent, so that no file is in memory whole.
 */
export class FileSlots {
  readonly #files: PromptFile[] = [];
  #mark = "";

  /** Returns a mark that stands for a file in base64; it is to be part of a string of the body. */
  base64(file: PromptFile): string {
    this.#mark ||= randomUUID();
    this.#files.push(file);
    return `${this.#mark}:${this.#files.length - 1};`;
  }

  /** Returns a mark that stands for a file as a data URL. */
  dataUrl(file: PromptFile): string {
    return `data:${file.type};base64,${this.base64(file)}`;
  }

  /** Encodes a body as JSON: a string if it has no files. */
  encode(body: object): string | StreamedBody {
    const json = JSON.stringify(body);
    if (this.#files.length === 0) return json;
    // Elements at odd positions are the indices of files.
    const sections = json
      .split(new RegExp(`${this.#mark}:(\\d+);`))
      .map((section, at): Section => (at % 2 === 1 && this.#files[Number(section)]) || Buffer.from(section));
    const length = sections.reduce((sum, section) => sum + lengthOf(section), 0);
    const ids = new Map(this.#partsOf(body));
    return { length, open: () => piecesOf(sections), fileAt: (path) => ids.get(path) };
  }

  /** Yields the paths of the parts of messages that have a file, with the file's id. */
  *#partsOf(body: object): Generator<[string, string]> {
    for (const [list, messages] of Object.entries(body)) {
      if (!Array.isArray(messages)) continue;
      for (const [at, message] of messages.entries()) {
        const content = field(message, "content");
        for (const [index, part] of Array.isArray(content) ? content.entries() : []) {
          if (textField(part, "text") !== "") continue;
          const [, slot] = JSON.stringify(part).match(new RegExp(`${this.#mark}:(\\d+);`)) ?? [];
          const file = slot === undefined ? undefined : this.#files[Number(slot)];
          if (file) yield [`${list}.${at}.content.${index}`, file.id];
        }
      }
    }
  }
}

/** A section of JSON, or a file within it. */
type Section = Buffer | PromptFile;

function lengthOf(section: Section): number {
  return Buffer.isBuffer(section) ? section.length : base64Length(section.size);
}

async function* piecesOf(sections: readonly Section[]): AsyncGenerator<Uint8Array> {
  for (const section of sections) {
    if (Buffer.isBuffer(section)) yield* splitBytes(section);
    else yield* base64Pieces(section);
  }
}

function* splitBytes(bytes: Buffer): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += MAX_PIECE) yield bytes.subarray(at, at + MAX_PIECE);
}

/** Closes the file when the iteration ends, also before the end of the file. */
async function* base64Pieces(file: PromptFile): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(PIECE_BYTES);
  let filled = 0;
  let size = 0;
  try {
    for await (const chunk of file.open()) {
      size += chunk.length;
      if (size > file.size) throw new Error(`The file has more than ${file.size} bytes`);
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + PIECE_BYTES - filled);
        piece.set(taken, filled);
        at += taken.length;
        filled += taken.length;
        if (filled < PIECE_BYTES) continue;
        filled = 0;
        yield Buffer.from(piece.toString("base64"), "latin1");
      }
    }
    if (size < file.size) throw new Error(`The file has only ${size} of ${file.size} bytes`);
  } catch (error) {
    throw new FileUnreadable(error);
  }
  if (filled > 0) yield Buffer.from(piece.toString("base64", 0, filled), "latin1");
}
