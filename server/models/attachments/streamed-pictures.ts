import { randomUUID } from "node:crypto";

/**
 * A picture of an answer, as its provider has sent it: nothing of it is checked. `defect`: why its bytes are not here;
 * `large`: more than {@link PICTURE_MAX_BYTES}, or than an answer may have in all; `unreadable`: no data in base64.
 */
export type StreamedPicture = { bytes: Buffer } | { defect: StreamDefect };
type StreamDefect = "large" | "unreadable";

/** Bytes of one picture, and of all pictures of one call. */
export const PICTURE_MAX_BYTES = 20 * 1024 * 1024;
const CALL_MAX_BYTES = 2 * PICTURE_MAX_BYTES;

/** Beginning of a data URL as the value of a key `url`. Within a text of JSON, its quotation marks would be escaped. */
const BEGINNING = /"url"\s{0,4}:\s{0,4}"data:[^",\s]{0,100};base64,/;
/** More characters than a beginning has. */
const HELD_CHARS = 200;
const END = /["\r\n]/;
/** An escape sequence of JSON that may go on. */
const OPEN_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i;

/**
 * Takes the base64 of pictures out of a stream of JSON while it flows, so that an event has no more than a mark for each,
 * and its limit of characters holds. Marks are random: a provider cannot write one.
 */
export class StreamedPictures {
  readonly #mark = randomUUID();
  readonly #pictures: (StreamedPicture | undefined)[] = [];
  #held = "";
  #open: Base64Decoder | undefined;
  #bytes = 0;

  /** Adds a piece of the stream. Returns what is left of it; the end of an incomplete line may be held back. */
  lift(piece: string): string {
    let rest = this.#held + piece;
    this.#held = "";
    let passed = "";
    for (;;) {
      if (this.#open) {
        const end = rest.search(END);
        this.#open.push(end < 0 ? rest : rest.slice(0, end));
        if (end < 0) return passed;
        this.#close(this.#open);
        rest = rest.slice(end);
      }
      const found = rest.includes(";base64,") ? BEGINNING.exec(rest) : null;
      if (!found) return passed + this.#hold(rest);
      const begun = found.index + found[0].length;
      passed += `${rest.slice(0, begun)}${this.#mark}:${this.#pictures.length}`;
      this.#open = new Base64Decoder(Math.min(PICTURE_MAX_BYTES, CALL_MAX_BYTES - this.#bytes));
      rest = rest.slice(begun);
    }
  }

  /** Returns the picture of a URL of the stream. A URL of another form is not requested. */
  take(url: string): StreamedPicture {
    const [, at] = url.split(`;base64,${this.#mark}:`);
    const picture = at === undefined ? undefined : this.#pictures[Number(at)];
    if (at !== undefined) this.#pictures[Number(at)] = undefined;
    return picture ?? { defect: "unreadable" };
  }

  #close(decoder: Base64Decoder): void {
    const picture = decoder.end();
    if ("bytes" in picture) this.#bytes += picture.bytes.length;
    this.#pictures.push(picture);
    this.#open = undefined;
  }

  /** Holds the end of an incomplete line back. This delays nothing, because an event ends with its line. */
  #hold(text: string): string {
    if (text.endsWith("\n")) return text;
    const lineAt = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1;
    const heldAt = Math.max(lineAt, text.length - HELD_CHARS);
    this.#held = text.slice(heldAt);
    return text.slice(0, heldAt);
  }
}

/** Decodes base64 that arrives in pieces of a JSON string. */
class Base64Decoder {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #rest = "";
  #defect: StreamDefect | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(piece: string): void {
    if (this.#defect) return;
    const text = this.#rest + piece;
    // PHP escapes slashes, and .NET the plus sign.
    const isEscaped = text.includes("\\");
    const endAt = (isEscaped ? OPEN_ESCAPE.exec(text)?.index : undefined) ?? text.length;
    const plain = isEscaped ? unescaped(text.slice(0, endAt)) : text;
    const decoded = plain === undefined ? "unreadable" : this.#decode(plain, text.slice(endAt));
    if (decoded) this.#fail(decoded);
  }

  /** @returns why the text cannot be decoded; undefined if it can */
  #decode(plain: string, openEscape: string): StreamDefect | undefined {
    const whole = plain.length - (plain.length % 4);
    this.#rest = plain.slice(whole) + openEscape;
    const bytes = Buffer.from(plain.slice(0, whole), "base64");
    // Other characters than those of base64 decode to nothing; a padding stands for two bytes at most.
    if (bytes.length < (whole / 4) * 3 - 2) return "unreadable";
    this.#size += bytes.length;
    if (this.#size > this.#maxBytes) return "large";
    this.#chunks.push(bytes);
    return undefined;
  }

  end(): StreamedPicture {
    const bytes = this.#defect ? undefined : Buffer.concat([...this.#chunks, Buffer.from(this.#rest, "base64")]);
    return bytes ? { bytes } : { defect: this.#defect ?? "unreadable" };
  }

  #fail(defect: StreamDefect): void {
    this.#defect = defect;
    this.#chunks = [];
    this.#rest = "";
  }
}

function unescaped(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return undefined;
  }
}
