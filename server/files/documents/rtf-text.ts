import { TooComplex } from "./document-text.ts";
import { TextBuilder } from "./text-builder.ts";

/** Deepest nesting of groups: Word writes about 20. */
const MAX_DEPTH = 1000;
const DEFAULT_ENCODING = "windows-1252";

/** Encodings by code page, other than 1250 to 1258. Those that `TextDecoder` does not have are read as the default. */
const codePages: Readonly<Record<number, string>> = {
  ...{ 866: "ibm866", 874: "windows-874", 932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5" },
  ...{ 10000: "macintosh", 65001: "utf-8" },
};
/** Code pages by the character set of a font. */
const charsets: Readonly<Record<number, number>> = {
  ...{ 77: 10_000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};

const encodingOf = (page: number | undefined): string | undefined =>
  page !== undefined && page >= 1250 && page <= 1258 ? `windows-${page}` : codePages[page ?? -1];

/** Words that stand for characters. */
const characters: Readonly<Record<string, string>> = {
  ...{ par: "\n", line: "\n", sect: "\n", page: "\n", row: "\n", nestrow: "\n", tab: "\t", cell: "\t", nestcell: "\t" },
  ...{ emdash: "—", endash: "–", lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”", bullet: "•" },
  ...{ emspace: " ", enspace: " ", qmspace: " " },
};
const symbols: Readonly<Record<string, string>> = {
  ...{ "\\": "\\", "{": "{", "}": "}", "~": "\u00A0", _: "\u2011", "\n": "\n", "\r": "\n" },
};

/** Groups without text of the document. A group that begins with `\*` is one too, unless it has shapes. */
const skippedGroups: ReadonlySet<string> = new Set([
  ...["colortbl", "stylesheet", "info", "pict", "nonshppict", "shprslt", "sn", "sv", "fldinst", "objdata", "objclass"],
  ...["filetbl", "xe", "tc", "rxe", "template", "passwordhash"],
]);
const SHAPES = "shpinst";
/** Groups with a text of their own in lines of their own. */
const ownLines: ReadonlySet<string> = new Set([
  ...["header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf", "shptxt"],
]);

/** What holds within a pair of braces. `end`: added behind it. */
type Group = {
  isSkipped: boolean;
  isFontTable: boolean;
  isHidden: boolean;
  /** Whether its first symbol was `*`. */
  isStarred: boolean;
  isNote: boolean;
  encoding: string;
  /** Characters behind a Unicode character, for programs that do not read it. */
  fallbacks: number;
  end: string;
};

const TOKEN = /\\([a-z]+)(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|([\r\n]+)|([^\\{}\r\n]+)/giy;

/**
 * Returns the text of a file in the Rich Text Format (1.9.1): a line for a paragraph, tabs between the cells of a row,
 * headers and footers where they are defined, and notes in brackets. Pictures, comments, hidden and deleted text are
 * left out.
 * @throws TooComplex if groups are nested too deep
 */
export function rtfText(bytes: Uint8Array): string {
  return new RtfReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")).read();
}

class RtfReader {
  readonly #source: string;
  readonly #text = new TextBuilder();
  readonly #fonts = new Map<number, string>();
  readonly #groups: Group[] = [];
  #group: Group = {
    ...{ isSkipped: false, isFontTable: false, isHidden: false, isStarred: false, isNote: false },
    ...{ encoding: DEFAULT_ENCODING, fallbacks: 1, end: "" },
  };
  #defaultEncoding = DEFAULT_ENCODING;
  #font = 0;
  /** Bytes that wait for the rest of their character, one for each UTF-16 unit. */
  #bytes = "";
  #fallbacks = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): string {
    TOKEN.lastIndex = 0;
    for (let found = TOKEN.exec(this.#source); found && !this.#text.isFull; found = TOKEN.exec(this.#source)) {
      const [, word, number, hex, symbol, brace, , plain] = found;
      if (plain !== undefined) this.#addBytes(plain);
      else if (hex !== undefined) this.#addBytes(String.fromCharCode(Number.parseInt(hex, 16)));
      else if (brace !== undefined) this.#brace(brace);
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (word === "bin") TOKEN.lastIndex += Math.max(0, Number(number ?? 0));
      else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number));
    }
    this.#flush();
    return this.#text.toString();
  }

  #addBytes(bytes: string): void {
    const skipped = Math.min(this.#fallbacks, bytes.length);
    this.#fallbacks -= skipped;
    if (this.#isText) this.#bytes += bytes.slice(skipped);
  }

  get #isText(): boolean {
    const { isSkipped, isFontTable, isHidden } = this.#group;
    return !isSkipped && !isFontTable && !isHidden;
  }

  #add(text: string): void {
    this.#flush();
    if (this.#isText) this.#text.add(text);
  }

  /** Decodes the waiting bytes in the encoding of the group, before it changes. */
  #flush(): void {
    if (this.#bytes === "") return;
    const bytes = this.#bytes;
    this.#bytes = "";
    const isAscii = /^[\0-\x7f]*$/.test(bytes);
    this.#text.add(isAscii ? bytes : new TextDecoder(this.#group.encoding).decode(Buffer.from(bytes, "latin1")));
  }

  #brace(brace: string): void {
    this.#flush();
    this.#fallbacks = 0;
    if (brace === "{") {
      if (this.#groups.length === MAX_DEPTH) throw new TooComplex("Too deep");
      this.#groups.push(this.#group);
      this.#group = { ...this.#group, isStarred: false, end: "" };
      return;
    }
    if (this.#group.end === "\n") this.#text.endLine();
    else this.#add(this.#group.end);
    this.#group = this.#groups.pop() ?? this.#group;
  }

  #symbol(symbol: string): void {
    if (symbol === "*") this.#group.isStarred = true;
    else this.#add(symbols[symbol] ?? "");
  }

  #word(word: string, number: number | undefined): void {
    this.#flush();
    const group = this.#group;
    if (group.isStarred) {
      group.isStarred = false;
      // LibreOffice stars its notes.
      if (word !== SHAPES && word !== "footnote") group.isSkipped = true;
    }
    if (skippedGroups.has(word)) group.isSkipped = true;
    else if (word === "fonttbl") group.isFontTable = true;
    else if (word === "footnote") {
      this.#add(" [");
      group.isNote = true;
      group.end = "]";
    } else if (ownLines.has(word)) {
      this.#text.endLine();
      group.end = "\n";
    } else if (word === "v" || word === "deleted") group.isHidden = number !== 0;
    else if (word === "plain") group.isHidden = false;
    else if (word === "uc") group.fallbacks = Math.max(0, number ?? 1);
    else if (word === "u") this.#unicode(number ?? 0);
    else if (!this.#encodingWord(word, number)) {
      const character = Object.hasOwn(characters, word) ? (characters[word] ?? "") : "";
      this.#add(group.isNote && character === "\n" ? " " : character);
    }
  }

  #unicode(number: number): void {
    this.#add(String.fromCharCode(number & 0xffff));
    this.#fallbacks = this.#group.fallbacks;
  }

  /** Handles a word that says in which encoding bytes are. @returns whether it is one */
  #encodingWord(word: string, number = 0): boolean {
    const group = this.#group;
    if (word === "ansicpg") group.encoding = this.#defaultEncoding = encodingOf(number) ?? DEFAULT_ENCODING;
    else if (word === "mac") group.encoding = this.#defaultEncoding = "macintosh";
    else if (word === "f" && group.isFontTable) this.#font = number;
    else if (word === "fcharset" && group.isFontTable) {
      const encoding = encodingOf(charsets[number]);
      if (encoding !== undefined) this.#fonts.set(this.#font, encoding);
    } else if (word === "f") group.encoding = this.#fonts.get(number) ?? this.#defaultEncoding;
    else return false;
    return true;
  }
}
