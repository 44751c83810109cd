import { FileRefusal } from "../archive/file-refusal.ts";

/** Longest value, in UTF-16 units: it is parsed in one go, and V8 ends strings near 512 MB. */
const VALUE_MAX = 200_000_000;

const [QUOTE, COMMA, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x22, 0x2c, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Splits a JSON text of any length into its values: the elements of a list, else the whole object. It only recognises where
 * values begin and end; the caller parses them.
 */
export class ValueScanner {
  readonly #onValue: (json: string) => void;
  #isList: boolean | undefined;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isEnded = false;
  #value: string[] = [];
  #length = 0;

  constructor(onValue: (json: string) => void) {
    this.#onValue = onValue;
  }

  /** Whether the list or object has ended. What follows it is ignored. */
  get isWhole(): boolean {
    return this.#isEnded;
  }

  /** @throws FileRefusal `not-an-export` for a text that is no list and no object; `archive-too-complex` */
  push(piece: string): void {
    let from = this.#isList === undefined ? this.#begin(piece) : 0;
    for (let at = from; at < piece.length && !this.#isEnded; at++) {
      const mark = this.#read(piece.charCodeAt(at));
      if (mark === undefined) continue;
      this.#keep(piece.slice(from, this.#isList ? at : at + 1));
      this.#give();
      from = at + 1;
      this.#isEnded = mark === "end";
    }
    if (!this.#isEnded) this.#keep(piece.slice(from));
  }

  /** @returns where the first value begins */
  #begin(piece: string): number {
    const start = piece.search(/[^\s\ufeff]/);
    if (start < 0) return piece.length;
    const code = piece.charCodeAt(start);
    if (code !== OPEN_LIST && code !== OPEN) throw new FileRefusal("not-an-export");
    this.#isList = code === OPEN_LIST;
    if (!this.#isList) return start;
    this.#depth = 1;
    return start + 1;
  }

  /** Reads a character. @returns whether it ends a value, or the last one */
  #read(code: number): "next" | "end" | undefined {
    if (this.#isInText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.#isInText = false;
      return undefined;
    }
    if (code === QUOTE) this.#isInText = true;
    else if (code === OPEN || code === OPEN_LIST) this.#depth++;
    else if (code === COMMA && this.#depth === 1 && this.#isList) return "next";
    else if (code === CLOSE || code === CLOSE_LIST) {
      this.#depth--;
      if (this.#depth === 0) return "end";
    }
    return undefined;
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#value.push(text);
    this.#length += text.length;
    if (this.#length > VALUE_MAX) throw new FileRefusal("archive-too-complex", "Too long a value");
  }

  #give(): void {
    const json = this.#value.join("").trim();
    this.#value = [];
    this.#length = 0;
    if (json !== "") this.#onValue(json);
  }
}
