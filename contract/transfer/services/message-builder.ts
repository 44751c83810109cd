import type { MessagePart } from "../../conversation/parts.ts";
import { FILES_PER_MESSAGE_MAX, MESSAGE_MAX, PARTS_MAX } from "../../limits.ts";
import { wellFormed } from "../../text/well-formed.ts";
import type { ExportedMessage } from "../transfer.ts";
import type { ForeignFile, ForeignNode, Piece } from "./foreign-chat.ts";

/** Longest arguments or result of a tool that a part keeps, in UTF-16 units; the whole is in a file of the message. */
const RESULT_MAX = 100_000;
/** The same as JSON, in which control characters take six. */
const ESCAPED_MAX = 400_000;
const ESCAPE = 6;
const isLong = (text: string) => text.length > RESULT_MAX || JSON.stringify(text).length > ESCAPED_MAX;
/** Reasoning of a message, in UTF-16 units; what is longer is text in a file of the message. */
const REASONING_MAX = 900_000;
/** An answer of which the export has only reasoning: a message needs a text to keep its parts. */
const NO_ANSWER = "…";
/** Parts, and files among them, that one piece adds at most: a call whose arguments and result are long. */
const PARTS_OF_PIECE = 3;
const FILES_OF_PIECE = 2;

type Place = { id: string; parent: string | null; createdAt: number; serviceName: string };

/** Calls of an answer that have no result yet, in the order of their id. An answer may be several messages. */
export type OpenCalls = Map<string, { builder: MessageBuilder; seq: number }[]>;

/** Puts the pieces of nodes into one message. A message that is full refuses a piece, and another continues it. */
export class MessageBuilder {
  readonly message: ExportedMessage & { parts: MessagePart[] };
  readonly files: ForeignFile[] = [];
  readonly #server: string;
  readonly #fileIdOf: (key: string) => string;
  readonly #openCalls: OpenCalls;
  #reasoningChars = 0;
  #sources = new Map<string, string>();
  /** Whether the text ends a paragraph. Not read from the text, which V8 would join with each piece. */
  #endsParagraph = true;

  /** @param precedingMessage the message that this one continues because it was full */
  constructor(
    { role, model }: ForeignNode,
    place: Place,
    fileIdOf: (key: string) => string,
    precedingMessage?: MessageBuilder,
  ) {
    const { id, parent, createdAt, serviceName } = place;
    this.#server = serviceName;
    this.#fileIdOf = fileIdOf;
    this.#openCalls = precedingMessage ? precedingMessage.#openCalls : new Map();
    this.message = {
      ...{ id, parent, role, content: "", state: "complete" },
      model: role === "assistant" ? (model?.slice(0, 200) ?? null) : null,
      ...{ parts: [], createdAt, endedAt: createdAt },
    };
  }

  /** Continues the message with a later node of the same answer. */
  continueWith({ model }: ForeignNode, createdAt: number): void {
    this.message.model ??= model?.slice(0, 200) ?? null;
    this.message.endedAt = Math.max(this.message.endedAt ?? 0, createdAt);
  }

  /** Adds a piece. @returns what did not fit; undefined if all of it did */
  add(piece: Piece): Piece | undefined {
    if (piece.kind === "text") return this.#addText(piece);
    if (piece.kind === "result") {
      const open = this.#openCalls.get(piece.call)?.shift();
      if (open) return open.builder.#answerCall(open.seq, piece);
    }
    const isFull = this.message.parts.length + PARTS_OF_PIECE > PARTS_MAX;
    const hasAllFiles = this.files.length + FILES_OF_PIECE > FILES_PER_MESSAGE_MAX;
    if (isFull || hasAllFiles) return piece;
    if (piece.kind === "file") this.#addFile(piece.file);
    else if (piece.kind === "reasoning") this.#addReasoning(piece);
    else if (piece.kind === "source") this.#addSource(piece);
    else if (piece.kind === "result") this.#addResult(piece);
    else this.#addCall(piece);
    return undefined;
  }

  /** Returns the message as it is exported. */
  end(): ExportedMessage {
    const { parts, ...message } = this.message;
    const isWordless = message.role === "assistant" && message.content === "" && parts.length > 0;
    const needsText = isWordless && !parts.some(({ kind }) => kind === "tool" || kind === "file");
    return { ...message, ...(needsText && { content: NO_ANSWER }), ...(parts.length > 0 && { parts }) };
  }

  #addText(piece: Extract<Piece, { kind: "text" }>): Piece | undefined {
    const text = wellFormed(piece.text);
    const { content } = this.message;
    const isContinued = piece.isContinuation === true && content !== "";
    if (text.trim() === "" && !isContinued) return undefined;
    const separator = isContinued || this.#endsParagraph ? "" : "\n\n";
    this.#endsParagraph = text.endsWith("\n\n");
    const room = MESSAGE_MAX - content.length - separator.length;
    if (text.length <= room) this.message.content += separator + text;
    else if (content !== "") return { kind: "text", text };
    else {
      const isPairCut = /[\uD800-\uDBFF]/.test(text.charAt(room - 1));
      const end = isPairCut ? room - 1 : room;
      this.message.content = text.slice(0, end);
      return { kind: "text", text: text.slice(end) };
    }
    return undefined;
  }

  #addPart(kind: string, body: object): number {
    const seq = this.message.parts.length;
    this.message.parts.push({ seq, at: this.message.content.length, kind, ...body });
    return seq;
  }

  #addFile(file: ForeignFile, more: object = {}): void {
    const { id, name, type, size } = file;
    this.files.push(file);
    this.#addPart("file", { id, name: name || "file", type, size, ...more });
  }

  #addReasoning({ text: given, durationMs }: Extract<Piece, { kind: "reasoning" }>): void {
    const text = wellFormed(given);
    if (text.trim() === "") return;
    this.#reasoningChars += text.length;
    if (this.#reasoningChars > REASONING_MAX) this.#addFile(this.#textFile("reasoning.txt", text));
    else this.#addPart("reasoning", { text, ...(durationMs !== undefined && { durationMs: Math.max(0, durationMs) }) });
  }

  #addSource({ url, title }: Extract<Piece, { kind: "source" }>): void {
    const number = this.#sources.get(url) ?? String(this.#sources.size + 1);
    this.#sources.set(url, number);
    this.#addPart("source", { source: number, url, title: title || url, checked: "unchecked" });
  }

  #addCall({ result, ...piece }: Extract<Piece, { kind: "tool" }>): void {
    const { name, call, state } = piece;
    const long = isLong(piece.arguments);
    const json = long ? "{}" : wellFormed(piece.arguments);
    const body = { server: this.#server, name, call, step: 0, state, arguments: json, digest: "" };
    const seq = this.#addPart("tool", body);
    if (long) this.#addFile(this.#textFile(`${name}.json`, piece.arguments), { tool: seq });
    if (result !== undefined) {
      this.#setResult(seq, name, result);
      return;
    }
    const same = this.#openCalls.get(call);
    if (same) same.push({ builder: this, seq });
    else this.#openCalls.set(call, [{ builder: this, seq }]);
  }

  /** Adds a result to its call. @returns its file, if the message of the call has no room for one */
  #answerCall(seq: number, { name, text, hasFailed }: Extract<Piece, { kind: "result" }>): Piece | undefined {
    const part = this.message.parts[seq];
    if (part) part.state = hasFailed ? "failed" : "succeeded";
    return this.#setResult(seq, name, text);
  }

  /** Adds a result whose call is not in the answer. */
  #addResult({ name, call, text, hasFailed }: Extract<Piece, { kind: "result" }>): void {
    const state: string = hasFailed ? "failed" : "succeeded";
    const body = { server: this.#server, name, call, step: 0, state, arguments: "{}", digest: "" };
    this.#setResult(this.#addPart("tool", body), name, text);
  }

  #setResult(seq: number, name: string, given: string): Piece | undefined {
    const part = this.message.parts[seq];
    if (!part) return undefined;
    const text = wellFormed(given);
    const isCut = isLong(text);
    const length = text.length > RESULT_MAX ? RESULT_MAX : ESCAPED_MAX / ESCAPE;
    part.result = isCut ? wellFormed(text.slice(0, length)) : text;
    if (!isCut) return undefined;
    part.isCut = true;
    const file = this.#textFile(`${name}.txt`, text);
    const hasRoom = this.message.parts.length < PARTS_MAX && this.files.length < FILES_PER_MESSAGE_MAX;
    // Several results of one full message need files with ids of their own.
    if (!hasRoom) return { kind: "file", file: { ...file, id: this.#fileIdOf(`${this.message.id}/result/${seq}`) } };
    this.#addFile(file, { tool: seq });
    return undefined;
  }

  #textFile(name: string, text: string): ForeignFile {
    const { id, parts } = this.message;
    const source = { text };
    return { id: this.#fileIdOf(`${id}/${parts.length}`), name, type: "text/plain", size: text.length, source };
  }
}
