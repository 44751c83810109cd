/** Maximum length of the head of an export. */
const MAX_HEAD = 4_000_000;

/** Thrown for a file that is not a JSON object, or whose head is larger than that of any export. */
export class NoExport extends Error {}

/**
 * Streaming scanner that splits an export into its head and its chats: the file may exceed the page's memory. It only
 * recognises where JSON strings, objects and arrays begin and end; the caller validates the pieces.
 */
export class ExportScanner {
  readonly #onChat: (json: string) => void;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #key = "";
  #text = "";
  #isInChats = false;
  #head: string[] = [];
  #headLength = 0;
  #chat: string[] = [];

  constructor(onChat: (json: string) => void) {
    this.#onChat = onChat;
  }

  /** The JSON around the chats, with an empty list of chats. */
  get head(): string {
    return this.#head.join("");
  }

  /** @throws NoExport */
  push(piece: string): void {
    // Start of the pending characters, which all belong either to the head or to one chat.
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const character = piece[at] ?? "";
      if (this.#isInText) {
        this.#readText(character);
        continue;
      }
      if (this.#isInChats && this.#depth === 2 && (character === "," || character === "]")) {
        this.#give(piece.slice(from, at));
        this.#endChat();
        from = character === "," ? at + 1 : at;
      }
      const opensChats = this.#readMark(character);
      if (opensChats) {
        this.#give(piece.slice(from, at + 1), true);
        from = at + 1;
      }
    }
    this.#give(piece.slice(from));
  }

  #readText(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === "\\") this.#isEscaped = true;
    else if (character === '"') this.#isInText = false;
    else if (this.#depth === 1 && this.#text.length < 20) this.#text += character;
  }

  /** @returns whether the list of chats begins with this character */
  #readMark(character: string): boolean {
    if (this.#depth === 0 && character !== "{" && character.trim() !== "") throw new NoExport();
    if (character === '"') {
      this.#isInText = true;
      this.#text = "";
    } else if (character === ":" && this.#depth === 1) this.#key = this.#text;
    else if (character === "{" || character === "[") {
      this.#depth++;
      this.#isInChats ||= character === "[" && this.#depth === 2 && this.#key === "chats";
      return this.#isInChats && character === "[" && this.#depth === 2;
    } else if (character === "}" || character === "]") {
      this.#depth--;
      if (this.#depth === 1) this.#isInChats = false;
    }
    return false;
  }

  #give(text: string, isHead = !this.#isInChats): void {
    if (text === "") return;
    if (!isHead) {
      this.#chat.push(text);
      return;
    }
    this.#head.push(text);
    this.#headLength += text.length;
    if (this.#headLength > MAX_HEAD) throw new NoExport();
  }

  #endChat(): void {
    const json = this.#chat.join("").trim();
    this.#chat = [];
    if (json !== "") this.#onChat(json);
  }
}
