/** What a message of Open WebUI says: its text, its output, its files and its sources. */

import type { Piece } from "../foreign-chat.ts";
import { base64File, fileAt, isWebAddress, textFile } from "../foreign-files.ts";
import { idTextOf, jsonOf } from "../foreign-nodes.ts";
import { splitThoughts } from "../split-thoughts.ts";
import { listOf, numberOf, recordOf, textOf } from "../unknown-values.ts";
import { codePiece, durationOfSeconds, splitMarkup } from "./open-webui-markup.ts";

type Fields = Record<string, unknown>;
/** `hasUnknown`: it has something of a kind that is not known here. */
type Content = { pieces: Piece[]; hasUnknown: boolean };

/** Fields of an item of `output` that are no arguments of a call. */
const NO_ARGUMENTS = new Set([
  "type",
  "id",
  "call_id",
  "name",
  "status",
  "output",
  "outputs",
  "results",
  "result",
  "error",
]);

/** A picture in Markdown with its bytes. The runs are bounded or end at a bracket, which takes linear time. */
const PICTURE = /!\[([^\][\n]{0,500})\]\((data:image\/[\w+/=;:,.%-]+)\)/g;

/** Reads one message. `output` wins over the text, in which it is repeated as markup. */
export class OpenWebuiMessage {
  readonly #message: Fields;
  readonly #fileIdOf: (id: string) => string;
  /** Whether the service has separated reasoning itself. */
  readonly #hasReasoning: boolean;
  #files = 0;
  #hasUnknown = false;

  /** `fileIdOf` returns the id of a file: its key is the service's id, or its number in the message, such as `#2`. */
  constructor(message: Fields, fileIdOf: (key: string) => string) {
    this.#message = message;
    this.#fileIdOf = fileIdOf;
    this.#hasReasoning = listOf(message.output).some((item) => recordOf(item)?.type === "reasoning");
  }

  read(): Content {
    const { files, sources, citations, error, merged, code_executions } = this.#message;
    const pieces = [
      ...this.#filesOf(files),
      ...this.#words(),
      ...listOf(code_executions).map(readExecution),
      ...this.#text(recordOf(merged)?.content),
      ...sourcesOf(listOf(sources).length > 0 ? sources : citations),
      ...errorOf(error),
    ];
    return { pieces: pieces.filter(isFirstSource()), hasUnknown: this.#hasUnknown };
  }

  #words(): Piece[] {
    const output = listOf(this.#message.output).flatMap((item) => this.#readItem(recordOf(item)));
    const hasText = output.some((piece) => piece.kind === "text" && piece.text.trim() !== "");
    if (hasText) return output;
    const content = this.#contentOf(this.#message.content);
    return output.length === 0 ? content : [...output, ...content.filter((piece) => piece.kind === "text")];
  }

  /** Reads a text of an answer, in which there may be markup; what a person has written stays as it is. */
  #text(value: unknown): Piece[] {
    const text = textOf(value);
    if (text.trim() === "") return [];
    if (this.#message.role === "user") return [{ kind: "text", text }];
    const pieces = splitMarkup(text, (files) => this.#filesOf(files));
    const hasReasoning = this.#hasReasoning || pieces.some(({ kind }) => kind === "reasoning");
    return pieces
      .flatMap((piece): Piece[] => (piece.kind === "text" ? splitThoughts(piece.text, hasReasoning) : [piece]))
      .flatMap((piece) => (piece.kind === "text" ? this.#splitPictures(piece.text) : [piece]));
  }

  /** Takes pictures with their bytes out of Markdown, as tools that make pictures write them. */
  #splitPictures(text: string): Piece[] {
    const pieces: Piece[] = [];
    let from = 0;
    for (const { 0: written, 1: name = "", 2: address = "", index } of text.matchAll(PICTURE)) {
      pieces.push({ kind: "text", text: text.slice(from, index) });
      pieces.push(fileAt(address, { id: this.#nextFileId(""), name }));
      from = index + written.length;
    }
    return [...pieces, { kind: "text", text: text.slice(from) }];
  }

  /** Reads a text, or a list of parts as in the API of models. */
  #contentOf(content: unknown): Piece[] {
    if (!Array.isArray(content)) return this.#text(content ?? "");
    return content.flatMap((value): Piece[] => {
      const part = recordOf(value);
      if (!part) return this.#text(value);
      switch (part.type) {
        case "text":
        case "input_text":
        case "output_text":
        case undefined:
          return [...this.#text(part.text), ...sourcesOf([{ metadata: part.annotations }])];
        case "refusal":
          return this.#text(part.refusal);
        case "image_url":
        case "input_image":
          return [this.#picture(part.image_url)];
        default:
          this.#hasUnknown = true;
          return this.#text(visibleTextOf(part));
      }
    });
  }

  #readItem(item: Fields | undefined): Piece[] {
    const type = textOf(item?.type);
    if (!item) return [];
    if (type === "message") return this.#contentOf(item.content);
    if (type === "reasoning") return [readReasoning(item)];
    if (type === "image_generation_call") return [this.#picture(item.result, textOf(item.output_format))];
    if (type === "open_webui:code_interpreter") {
      return [codePiece(textOf(item.lang), textOf(item.code), item.output, item.status === "completed")];
    }
    if (type.endsWith("_call_output")) return this.#readResult(item);
    if (type.endsWith("_call")) return this.#readCall(item, type);
    this.#hasUnknown = true;
    return this.#text(visibleTextOf(item));
  }

  #readCall(item: Fields, type: string): Piece[] {
    const { arguments: given, output, outputs, results, result, error } = item;
    const others = Object.entries(item).filter(([key]) => !NO_ARGUMENTS.has(key));
    const json = given === undefined ? Object.fromEntries(others) : given;
    const [returned] = [output, outputs, results, result, error].filter(Boolean);
    const isDone = returned !== undefined || (type !== "function_call" && item.status === "completed");
    const state = error || item.status === "failed" ? "failed" : isDone ? "succeeded" : "unknown";
    const call = idTextOf(item.call_id) || idTextOf(item.id);
    const name = textOf(item.name) || type.slice(0, -"_call".length);
    const found = returned === undefined ? undefined : textOfOutput(returned);
    return [
      { kind: "tool", name, call, arguments: jsonOf(json), state, ...(found !== undefined && { result: found }) },
    ];
  }

  #readResult(item: Fields): Piece[] {
    const pictures = listOf(item.output).flatMap((value) => {
      const part = recordOf(value);
      return part?.image_url ? [this.#picture(part.image_url)] : [];
    });
    const hasFailed = item.status === "failed" || item.status === "incomplete";
    const text = textOfOutput(item.output);
    const result: Piece = {
      kind: "result",
      name: textOf(item.name) || "tool",
      call: idTextOf(item.call_id),
      text,
      hasFailed,
    };
    return [result, ...pictures, ...this.#filesOf(item.files)];
  }

  #filesOf(files: unknown): Piece[] {
    return listOf(files).map((value) =>
      this.#file(typeof value === "string" ? { url: value } : (recordOf(value) ?? {})),
    );
  }

  /** Reads a file: bytes are in its address or, of what is text, in `file.data`; or only its id is known. */
  #file(entry: Fields): Piece {
    const file = recordOf(entry.file);
    const meta = recordOf(file?.meta);
    const address = textOf(entry.url);
    const name = textOf(entry.name) || textOf(file?.filename) || textOf(meta?.name);
    const id = this.#nextFileId(idTextOf(entry.id) || idTextOf(file?.id));
    const size = Math.max(0, Math.floor(numberOf(entry.size) ?? numberOf(meta?.size) ?? 0));
    const type = textOf(entry.content_type) || textOf(meta?.content_type) || textOf(entry.type);
    const text = textOf(recordOf(file?.data)?.content) || textOf(entry.content);
    if (address.startsWith("data:") || text === "") return fileAt(address, { id, name, type, size });
    return textFile({ id, name }, text);
  }

  /** `value`: an address, an object with one, or base64. */
  #picture(value: unknown, format = "png"): Piece {
    const address = textOf(value) || textOf(recordOf(value)?.url);
    const facts = { id: this.#nextFileId(""), name: "", type: `image/${format || "png"}` };
    return /^[\w.]*[:/]/.test(address) ? fileAt(address, facts) : base64File(facts, address);
  }

  #nextFileId(given: string): string {
    this.#files++;
    return this.#fileIdOf(given || `#${this.#files}`);
  }
}

/** Reads code that a function of the service has run beside the answer. */
function readExecution(value: unknown): Piece {
  const { language, code, result } = recordOf(value) ?? {};
  const { output, error } = recordOf(result) ?? {};
  return codePiece(textOf(language), textOf(code), { stdout: output, stderr: error }, false);
}

/** Returns a filter that drops the sources with an address that an earlier one has. */
function isFirstSource(): (piece: Piece) => boolean {
  const seen = new Set<string>();
  return (piece) => piece.kind !== "source" || (!seen.has(piece.url) && !!seen.add(piece.url));
}

/** The summary of reasoning wins over the reasoning itself, as in the service. */
function readReasoning(item: Fields): Piece {
  const [text = ""] = [item.summary, item.content].map(textOfOutput).filter((one) => one.trim() !== "");
  return { kind: "reasoning", text: text.trim(), durationMs: durationOfSeconds(item.duration) };
}

/** Returns the texts of an output: a text, or a list of parts; other values as JSON. Pictures have none. */
function textOfOutput(output: unknown): string {
  if (!Array.isArray(output)) return jsonOf(output);
  const texts = output.map((value) => {
    const part = recordOf(value);
    if (!part) return jsonOf(value);
    return typeof part.text === "string" ? part.text : part.image_url ? "" : jsonOf(part);
  });
  return texts.join("");
}

/** Returns the words of something of an unknown kind. */
function visibleTextOf(item: Fields): string {
  const words = [item.title, item.text, item.content, item.summary];
  return words
    .map((value) => (Array.isArray(value) ? textOfOutput(value) : textOf(value)))
    .join("\n\n")
    .trim();
}

/** Returns the pages that an answer rests on: of each source its entries with a web address, else the source itself. */
function sourcesOf(sources: unknown): Piece[] {
  const pages = new Map<string, string>();
  const add = (address: unknown, ...titles: unknown[]) => {
    const url = textOf(address);
    const title = titles.map(textOf).find((one) => one !== "" && one !== url) ?? "";
    if (isWebAddress(url) && !pages.get(url)) pages.set(url, title);
    return isWebAddress(url);
  };
  for (const value of listOf(sources)) {
    const entry = recordOf(value);
    const source = recordOf(entry?.source);
    const found = listOf(entry?.metadata).filter((one) => {
      const metadata = recordOf(one);
      const isAdded = add(metadata?.source, metadata?.title, metadata?.name);
      return isAdded || add(metadata?.url, metadata?.title, metadata?.name);
    });
    if (found.length > 0) continue;
    for (const address of [source?.url, source?.id, source?.name, ...listOf(source?.urls)]) {
      if (add(address, source?.title, source?.name)) break;
    }
  }
  return [...pages].map(([url, title]) => ({ kind: "source", url, title }));
}

/** Returns the text of an error, which the service shows below the answer. */
function errorOf(error: unknown): Piece[] {
  const fields = recordOf(error);
  const inner = fields?.content ?? fields?.message ?? fields?.detail ?? error;
  const text =
    typeof inner === "string" ? inner : recordOf(inner) ? textOf(recordOf(inner)?.message) || jsonOf(inner) : "";
  return text.trim() === "" ? [] : [{ kind: "text", text }];
}
