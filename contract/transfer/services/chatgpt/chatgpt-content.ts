import { isPageAddress, linkedFiles } from "../citation-marks.ts";
import type { ForeignFile, UnreadableReason } from "../foreign-chat.ts";
import { jsonOf } from "../foreign-nodes.ts";
import { idOf, listOf, numberOf, recordOf, textOf } from "../unknown-values.ts";

type Values = Record<string, unknown>;
type FileIdOf = (key: string) => string;

/**
 * What a message of ChatGPT says, whoever says it. `texts`: as written. `code`: the language of the texts, which are a
 * program; null for other texts. `durationMs`: of the reasoning that the message ends.
 */
export type MessageContent = {
  texts: string[];
  code: string | null;
  reasoning: string[];
  files: ForeignFile[];
  durationMs?: number | undefined;
  hasFailed: boolean;
  isHidden: boolean;
  unreadable?: UnreadableReason | undefined;
};

const nothing = () => ({ texts: [], code: null, reasoning: [], files: [], hasFailed: false, isHidden: false });

/** Reads the content of a message. Of a broken one or one of an unknown kind, what can be read is there. */
export function readContent(message: Values, fileIdOf: FileIdOf): MessageContent {
  const metadata = recordOf(message.metadata) ?? {};
  const content = recordOf(message.content);
  const files = new MessageFiles(metadata, fileIdOf);
  const read: Partial<MessageContent> = content
    ? readKind(content, metadata, files)
    : { texts: textsOf(message.content), unreadable: broken };
  const isAnswer = recordOf(message.author)?.role === "assistant" && typeof read.code !== "string";
  if (isAnswer) for (const name of linkedFiles(read.texts ?? [])) files.addLinked(name);
  return { ...nothing(), ...read, files: files.all() };
}

const broken: UnreadableReason = "broken";
const textsOf = (...values: unknown[]): string[] => values.map(textOf).filter((text) => text !== "");

function readKind(content: Values, metadata: Values, files: MessageFiles): Partial<MessageContent> {
  switch (content.content_type) {
    case "text":
    case "multimodal_text":
      return readParts(content, files);
    case "code":
      return { texts: textsOf(content.text), code: languageOf(content.language) };
    case "thoughts":
      return { reasoning: readThoughts(content.thoughts) };
    case "reasoning_recap":
      return readRecap(content, metadata);
    case "execution_output":
      return readOutput(content, metadata, files);
    case "tether_quote":
    case "sonic_webpage":
      return { texts: [textsOf(content.title, content.url, content.text).join("\n")] };
    case "tether_browsing_display":
      for (const asset of listOf(content.assets)) files.add(asset);
      return { texts: textsOf(content.result, content.summary) };
    case "citable_code_output":
      return { texts: textsOf(content.output_str) };
    case "system_error":
      return { texts: [textsOf(content.name, content.text).join(": ")], hasFailed: true };
    case "computer_output":
      files.add(content.screenshot);
      return { texts: [textsOf(recordOf(content.state)?.title, recordOf(content.state)?.url).join("\n")] };
    case "user_editable_context":
    case "model_editable_context":
      return { isHidden: true };
    default:
      return readUnknown(content, files);
  }
}

/** A kind of no known version. Without a kind at all, it is a text if it has parts, as the first exports had them. */
function readUnknown(content: Values, files: MessageFiles): Partial<MessageContent> {
  const hasKind = textOf(content.content_type) !== "";
  const read = readParts(content, files);
  if (!hasKind) return Array.isArray(content.parts) ? read : { ...read, unreadable: broken };
  const texts = [...(read.texts ?? []), ...textsOf(content.result, content.content, content.output)];
  return { texts, unreadable: "unknown-kind" };
}

function readParts(content: Values, files: MessageFiles): Partial<MessageContent> {
  const texts: string[] = [];
  let unreadable: UnreadableReason | undefined;
  for (const part of Array.isArray(content.parts) ? content.parts : [content.parts ?? content.text]) {
    if (typeof part === "string") texts.push(part);
    else if (part !== null && part !== undefined) unreadable = readPart(part, texts, files) ?? unreadable;
  }
  if (content.parts !== undefined) texts.push(...textsOf(content.text));
  return { texts: texts.filter((text) => text !== ""), unreadable };
}

/** Reads a part that is no string. @returns why it could not be read; undefined if it could */
function readPart(value: unknown, texts: string[], files: MessageFiles): UnreadableReason | undefined {
  const part = recordOf(value);
  if (!part) return broken;
  const text = textsOf(part.text);
  texts.push(...text);
  const pointers = [part, part.audio_asset_pointer, part.video_container_asset_pointer];
  const frames = listOf(part.frames_asset_pointers);
  const added = [...pointers, ...frames].filter((pointer) => files.add(pointer)).length;
  const isKnown = text.length > 0 || added > 0 || knownParts.has(textOf(part.content_type));
  if (!isKnown && part.content_type === undefined) texts.push(jsonOf(part));
  return isKnown || part.content_type === undefined ? undefined : "unknown-kind";
}

/** Kinds of parts, which may be empty. */
const knownParts: ReadonlySet<string> = new Set([
  "text",
  "audio_transcription",
  "image_asset_pointer",
  "audio_asset_pointer",
  "video_asset_pointer",
  "real_time_user_audio_video_asset_pointer",
]);

const languageOf = (language: unknown): string => textOf(language).replace(/^unknown$|[^\w+#.-]/g, "");

/** Returns thoughts as the service shows them: a heading, and the text below it. */
function readThoughts(thoughts: unknown): string[] {
  if (typeof thoughts === "string") return textsOf(thoughts);
  return listOf(thoughts).flatMap((value) => {
    const thought = recordOf(value);
    const summary = textOf(thought?.summary).trim();
    const text = textOf(thought?.content) || listOf(thought?.chunks).map(textOf).join("");
    return textsOf(
      typeof value === "string" ? value : [summary && `**${summary}**`, text].filter(Boolean).join("\n\n"),
    );
  });
}

function readRecap(content: Values, metadata: Values): Partial<MessageContent> {
  const reasoning = textsOf(content.content, content.text, ...listOf(content.parts));
  const seconds = numberOf(metadata.finished_duration_sec);
  return { reasoning, durationMs: seconds === undefined ? durationOf(reasoning.join(" ")) : seconds * 1000 };
}

/** Length of the longest recap of which the time is read. */
const RECAP_MAX = 200;
const UNIT_MS = { h: 3_600_000, m: 60_000, s: 1000 } as const;

/** Returns the ms that a recap names, such as `Thought for 1m 5s`; undefined if it names none. */
function durationOf(recap: string): number | undefined {
  // Cut, because the search takes quadratic time in digits without a unit.
  const found = [
    ...recap.slice(0, RECAP_MAX).matchAll(/(\d+(?:\.\d+)?)\s?(h|m|s)(?:\b|ours?|inutes?|ins?|econds?|ecs?)/gi),
  ];
  if (found.length === 0) return undefined;
  const unitMs = (unit = "s") => UNIT_MS[unit.toLowerCase() as keyof typeof UNIT_MS];
  return found.reduce((sum, [, amount, unit]) => sum + Number(amount) * unitMs(unit), 0);
}

function readOutput(content: Values, metadata: Values, files: MessageFiles): Partial<MessageContent> {
  const result = recordOf(metadata.aggregate_result);
  for (const value of listOf(result?.messages)) files.add({ asset_pointer: recordOf(value)?.image_url });
  const hasFailed = /^fail|error/.test(textOf(result?.status)) || Boolean(result?.in_kernel_exception);
  return { texts: textsOf(content.text), hasFailed };
}

/** The files of a message, each once: the ones that its content names, and its further attachments behind them. */
class MessageFiles {
  readonly #files = new Map<string, ForeignFile>();
  readonly #attachments = new Map<string, Values>();
  readonly #fileIdOf: FileIdOf;

  constructor(metadata: Values, fileIdOf: FileIdOf) {
    this.#fileIdOf = fileIdOf;
    for (const value of listOf(metadata.attachments)) {
      const attachment = recordOf(value);
      const key = idOf(attachment?.id) ?? textOf(attachment?.name);
      if (attachment && key) this.#attachments.set(key, attachment);
    }
  }

  /** Adds the file that a pointer names: an object with `asset_pointer`, or its text. @returns whether it names one */
  add(value: unknown): boolean {
    const pointer = recordOf(value) ?? { asset_pointer: value };
    const address = textOf(pointer.asset_pointer);
    const data = /^data:([\w.+-]+\/[\w.+-]+);base64,/.exec(address.slice(0, 200));
    const key = data ? address : entryOf(address);
    if (key === "") return false;
    if (this.#files.has(key)) return true;
    const attachment = this.#attachments.get(key);
    const source = data ? { base64: address.slice(data[0].length) } : { entry: key };
    const format = textOf(pointer.format);
    const type = data?.[1] || textOf(pointer.mime_type) || (format && `audio/${format}`);
    const bytes = data ? Math.floor((address.length - data[0].length) * 0.75) : 0;
    const size = numberOf(pointer.size_bytes) ?? bytes;
    // Pictures that the service has made have no name.
    const name = pointer.content_type === "image_asset_pointer" ? "picture" : "";
    this.#files.set(key, { id: this.#idOf(key), name, type: type ?? "", size, source, ...factsOf(attachment) });
    return true;
  }

  /** Adds a file that a program of the answer has made, which the archive may have under its name. */
  addLinked(name: string): void {
    const known = [...this.#files.values(), ...this.#attachments.values()];
    if (known.some((file) => file.name === name)) return;
    this.#files.set(name, { id: this.#idOf(name), name, type: "", size: 0, source: { entry: name } });
  }

  /** Returns the files with those attachments that no pointer names. */
  all(): ForeignFile[] {
    for (const [key, attachment] of this.#attachments) {
      if (this.#files.has(key)) continue;
      const source = idOf(attachment.id) === null ? null : { entry: key };
      this.#files.set(key, { id: this.#idOf(key), name: "", type: "", size: 0, source, ...factsOf(attachment) });
    }
    return [...this.#files.values()];
  }

  #idOf(key: string): string {
    return this.#fileIdOf(`chatgpt/${key}`);
  }
}

function factsOf(attachment: Values | undefined): Partial<ForeignFile> {
  const name = textOf(attachment?.name);
  const type = textOf(attachment?.mime_type) || textOf(attachment?.mimeType);
  const size = numberOf(attachment?.size);
  return { ...(name && { name }), ...(type && { type }), ...(size !== undefined && { size: Math.max(0, size) }) };
}

/** Returns the id in `file-service://file-…`, `sediment://file_…` or an address that holds one; empty if it has none. */
function entryOf(address: string): string {
  const isPage = isPageAddress(address);
  const segments = address
    .slice(0, 1000)
    .replace(/^[\w-]+:\/\//, "")
    .split(/[#?&=/]/);
  const id = segments.find((segment) => /^file[-_]/.test(segment));
  return id ?? (isPage ? "" : (segments[0] ?? ""));
}
