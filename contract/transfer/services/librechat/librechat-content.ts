import { type CitedPage, isPageAddress, piecesOfAnswer, withoutMarks, wordsOfMark } from "../citation-marks.ts";
import type { ForeignFile, Piece, UnreadableReason } from "../foreign-chat.ts";
import { jsonOf } from "../foreign-nodes.ts";
import { splitThoughts } from "../split-thoughts.ts";
import { idOf, listOf, numberOf, recordOf, textOf } from "../unknown-values.ts";

type Values = Record<string, unknown>;
type FileIdOf = (key: string) => string;
export type MessageWords = { pieces: Piece[]; unreadable?: UnreadableReason | undefined };

/** Reasoning in the text of an answer, as versions before `content` wrote it. */
const THINKING_START = ":::thinking\n";
const THINKING_END = "\n:::";

/** Reads what a message of LibreChat says: its list of contents, else its text; its files are named, not exported. */
export function readWords(message: Values, id: string, isUser: boolean, fileIdOf: FileIdOf): MessageWords {
  const reader = new ContentReader(message, id, isUser, fileIdOf);
  const contents = listOf(message.content);
  for (const content of contents) reader.read(content);
  if (!reader.hasText) reader.readText(message.text ?? message.content);
  for (const value of [...listOf(message.files), ...listOf(message.attachments)]) reader.readFile(value);
  return reader.end();
}

class ContentReader {
  readonly #words: Piece[] = [];
  readonly #files = new Map<string, Piece>();
  readonly #id: string;
  readonly #isUser: boolean;
  readonly #fileIdOf: FileIdOf;
  readonly #pages: ReadonlyMap<string, CitedPage>;
  #unreadable: UnreadableReason | undefined;

  constructor(message: Values, id: string, isUser: boolean, fileIdOf: FileIdOf) {
    this.#id = id;
    this.#isUser = isUser;
    this.#fileIdOf = fileIdOf;
    this.#pages = foundPages(listOf(message.attachments));
  }

  get hasText(): boolean {
    return this.#words.some(({ kind }) => kind === "text");
  }

  end(): MessageWords {
    return { pieces: [...this.#words, ...this.#files.values()], unreadable: this.#unreadable };
  }

  /** Reads one element of the list of contents. */
  read(value: unknown): void {
    const content = recordOf(value);
    if (typeof value === "string") this.#addText(value);
    else if (!content) this.#unreadable ??= "broken";
    else if (!this.#readKnown(content)) {
      this.#unreadable = "unknown-kind";
      this.#addText(plainText(content.text));
    }
  }

  /** Reads a text without a list of contents: reasoning may stand before the answer. */
  readText(value: unknown): void {
    const text = plainText(value);
    const end = text.indexOf(THINKING_END, THINKING_START.length);
    const hasReasoning = !this.#isUser && text.startsWith(THINKING_START) && end >= 0;
    if (hasReasoning) this.#addReasoning(text.slice(THINKING_START.length, end));
    this.#addText(hasReasoning ? text.slice(end + THINKING_END.length).trimStart() : text);
  }

  /** Reads a file that a message names. Of other attachments, such as results of a search, nothing is a file. */
  readFile(value: unknown): void {
    const file = recordOf(value);
    const name = textOf(file?.filename) || textOf(file?.name);
    const key = idOf(file?.file_id) ?? (textOf(file?.filepath) || name);
    if (!file || key === "" || this.#files.has(key)) return;
    const size = Math.max(0, numberOf(file.bytes) ?? numberOf(file.size) ?? 0);
    this.#addFile(key, { name, type: textOf(file.type), size, source: null });
  }

  /** @returns whether the kind is known */
  #readKnown(content: Values): boolean {
    switch (content.type) {
      case "text":
        this.#addText(plainText(content.text));
        return true;
      case "think":
        this.#addReasoning(plainText(content.think));
        return true;
      case "tool_call":
        this.#addCall(recordOf(content.tool_call) ?? content);
        return true;
      case "error":
        this.#addText(plainText(content.error) || plainText(content.text));
        return true;
      case "summary":
        this.#addReasoning(plainText(content.text) || plainText(content.summary));
        return true;
      case "image_file":
        this.readFile(content.image_file);
        return true;
      case "image_url":
      case "video_url":
        this.#addAddress(content[content.type]);
        return true;
      case "input_audio":
        this.#addData(
          textOf(recordOf(content.input_audio)?.data),
          `audio/${textOf(recordOf(content.input_audio)?.format)}`,
        );
        return true;
      // Names the agent that goes on, without words.
      case "agent_update":
        return true;
      default:
        return false;
    }
  }

  #addText(text: string): void {
    if (text === "") return;
    if (this.#isUser) {
      this.#words.push({ kind: "text", text });
      return;
    }
    const hasReasoning = this.#words.some(({ kind }) => kind === "reasoning");
    for (const piece of splitThoughts(text, hasReasoning)) {
      if (piece.kind === "reasoning") this.#addReasoning(piece.text);
      else this.#words.push(...this.#citedWords(piece.text));
    }
  }

  #citedWords(text: string): Piece[] {
    return piecesOfAnswer(withPlainMarks(text), (mark) => {
      const ids = mark.text.match(/turn\d+[a-z]+\d+/g) ?? [];
      const pages = ids.flatMap((id) => this.#pages.get(id) ?? []);
      return { words: pages.length > 0 ? "" : wordsOfMark(mark), pages };
    });
  }

  #addReasoning(text: string): void {
    if (text !== "") this.#words.push({ kind: "reasoning", text: withoutMarks(withPlainMarks(text)) });
  }

  /** Adds a call of a tool, in the form of an agent, a function, or a program that ran. */
  #addCall(call: Values): void {
    const of = recordOf(call.function);
    const program = recordOf(call.code_interpreter);
    const name = textOf(call.name) || textOf(of?.name) || textOf(call.type) || "tool";
    const json = jsonOf(call.args ?? of?.arguments ?? program?.input ?? "");
    const result = jsonOf(call.output ?? of?.output ?? program?.outputs ?? "");
    const state = result === "" ? "unknown" : "succeeded";
    // A call without a result would wait for the decision of a person.
    this.#words.push({
      kind: "tool",
      name,
      call: textOf(call.id) || `${this.#id}/${this.#words.length}`,
      arguments: json,
      state,
      result,
    });
  }

  #addAddress(value: unknown): void {
    const url = textOf(recordOf(value)?.url) || textOf(value);
    const data = /^data:([\w.+-]+\/[\w.+-]+);base64,/.exec(url.slice(0, 200));
    if (data) this.#addData(url.slice(data[0].length), data[1] ?? "");
    else if (url !== "") this.readFile({ filepath: url, filename: url.split(/[?#]/)[0]?.split("/").at(-1) });
  }

  #addData(base64: string, type: string): void {
    const key = `${this.#id}/${this.#files.size}`;
    if (base64 !== "")
      this.#addFile(key, { name: "", type, size: Math.floor(base64.length * 0.75), source: { base64 } });
  }

  #addFile(key: string, facts: Omit<ForeignFile, "id">): void {
    this.#files.set(key, { kind: "file", file: { id: this.#fileIdOf(`librechat/${key}`), ...facts } });
  }
}

/** Returns a text, which may be wrapped with its annotations. */
const plainText = (value: unknown): string => textOf(value) || textOf(recordOf(value)?.value);

/** Returns the pages that searches of the web have found, by the ids that the marks in the text have: `turn0search1`. */
function foundPages(attachments: readonly unknown[]): Map<string, CitedPage> {
  const pages = new Map<string, CitedPage>();
  for (const attachment of attachments) {
    const search = recordOf(recordOf(attachment)?.web_search);
    const lists = { search: search?.organic, news: search?.topStories, ref: search?.references };
    for (const [kind, list] of Object.entries(lists)) {
      for (const [at, value] of listOf(list).entries()) {
        const found = recordOf(value);
        const url = textOf(found?.link) || textOf(found?.url);
        if (isPageAddress(url))
          pages.set(`turn${numberOf(search?.turn) ?? 0}${kind}${at}`, { url, title: textOf(found?.title) });
      }
    }
  }
  return pages;
}

/** Some models write the code points of the marks as `\ue202`. */
function withPlainMarks(text: string): string {
  if (!/\\ue202turn\d/.test(text)) return text;
  return text.replace(/\\ue20([0-6])/g, (_, digit: string) => String.fromCharCode(0xe200 + Number(digit)));
}
