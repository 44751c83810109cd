import { type MessagePart, messagePartSchema } from "#contract/conversation/parts.ts";
import { REPLY_DONE } from "#contract/conversation/reply-events.ts";
import { LineCutter } from "../api/line-cutter.ts";
import { readText } from "../api/read-text.ts";
import { bodyText, errorText, eventText, isObject, parseObject } from "./reply-text.ts";

/**
 * Item of a reply's stream. `at` is a position in the reply's text in UTF-16 units: of a start, the assumed position of
 * the reader; of a token, its end; of a seam, its position. Streams of other servers have no start and no positions, and
 * no parts.
 */
export type ReplyItem =
  | { type: "start"; reply: string; at: number; run?: number; rev?: number }
  | { type: "token"; text: string; at?: number }
  | { type: "seam"; at: number }
  | { type: "writer"; model: string }
  | { type: "part"; part: MessagePart; rev: number }
  | { type: "thought"; seq: number; text: string; length: number }
  | { type: "failure"; error: string | null; code?: string; retryAfterMs?: number }
  | { type: "done" };

export type ReadReplyOptions = {
  /** Timeout (ms) of an event stream without any bytes, keep-alives included. */
  silenceMs?: number;
};

/**
 * Parses a successful response to a send, in every form of the specification: `data:` lines with JSON or plain text,
 * plain lines, or one JSON body. Yields the items of a chunk together, because each iteration costs more than the items
 * in it, of which thousands may arrive in a second. A stream of Parley ends after `done`; an end without `done` means a
 * lost connection. Streams of other servers are read to their end: `[DONE]` is ignored there, and `done` is the last item
 * if it has come. Leaving the loop early closes the connection.
 * @throws the body's error when the connection breaks before `done`; {@link SilenceError}
 */
export async function* readReply(response: Response, options: ReadReplyOptions = {}): AsyncGenerator<ReplyItem[]> {
  const mediaType = (response.headers.get("content-type") ?? "").toLowerCase();
  if (/^application\/(?:[\w.-]+\+)?json\b/.test(mediaType)) {
    yield readBody(await response.text());
    return;
  }
  const isEventStream = mediaType.startsWith("text/event-stream");
  const parser = new LineParser(isEventStream);
  const lines = new LineCutter();
  const silenceMs = isEventStream ? options.silenceMs : undefined;
  let hasDone = false;
  try {
    for await (const text of readText(response, silenceMs)) {
      const all = lines.push(text).flatMap((line) => parser.read(line));
      const end = parser.hasStarted ? all.findIndex(({ type }) => type === "done") : -1;
      const items = (end === -1 ? all : all.slice(0, end)).filter(({ type }) => type !== "done");
      hasDone ||= items.length < all.length;
      if (items.length > 0) yield items;
      if (hasDone && parser.hasStarted) break;
    }
  } catch (error) {
    if (!hasDone) throw error;
  }
  const rest = hasDone && parser.hasStarted ? [] : parser.readRest(lines.rest());
  const items = rest.filter(({ type }) => type !== "done");
  if (items.length > 0) yield items;
  if (hasDone || items.length < rest.length) yield [{ type: "done" }];
}

function readBody(text: string): ReplyItem[] {
  const body = parseObject(text);
  const reply = body && bodyText(body);
  return reply
    ? [{ type: "token", text: reply }, { type: "done" }]
    : [{ type: "failure", error: body && errorText(body) }];
}

/** Parses the lines of a stream. Plain text keeps its line breaks. */
class LineParser {
  #isEventStream: boolean;
  #hasStarted = false;
  #openLines = 0;

  constructor(isEventStream: boolean) {
    this.#isEventStream = isEventStream;
  }

  /** Whether it is a stream of Parley. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  read(line: string): ReplyItem[] {
    if (line.startsWith("data:")) {
      // One `data:` line decides that the rest is an event stream.
      this.#isEventStream = true;
      const items = readData(dataOf(line));
      this.#hasStarted ||= items[0]?.type === "start";
      return items;
    }
    if (this.#isEventStream) return /^(?::|(?:id|event|retry)(?::|$))/.test(line) ? [] : readPlain(line, line);
    const item = readPlain(line, "\n".repeat(this.#openLines) + line);
    this.#openLines = line === "" ? this.#openLines + 1 : 1;
    return item;
  }

  /**
   * Parses the text after the last end of line. A stream that ends inside an event drops that event, as the standard of
   * server-sent events demands. Streams of other servers may omit only the last end of line: they have no start.
   */
  readRest(line: string): ReplyItem[] {
    const isCut = this.#hasStarted || (this.#isEventStream && "data:".startsWith(line)) || isCutJson(line);
    return isCut ? [] : this.read(line);
  }
}

const dataOf = (line: string) => line.slice(line.startsWith("data: ") ? 6 : 5);

/** Whether a line is the beginning of an event in JSON. */
function isCutJson(line: string): boolean {
  return line.startsWith("data:") && dataOf(line).trimStart().startsWith("{") && !parseObject(dataOf(line));
}

function readPlain(line: string, text: string): ReplyItem[] {
  if (line === "") return [];
  if (line.trim() === REPLY_DONE) return [{ type: "done" }];
  const value = parseObject(line);
  const piece = value && (eventText(value) ?? bodyText(value));
  if (piece) return [{ type: "token", text: piece }];
  const error = value && errorText(value);
  return error ? [{ type: "failure", error }] : [{ type: "token", text }];
}

function readData(data: string): ReplyItem[] {
  if (data === "") return [];
  if (data.trim() === REPLY_DONE) return [{ type: "done" }];
  const event = parseObject(data);
  if (!event) return [{ type: "token", text: data }];
  const { at, reply, run, rev, code, seam, retryAfterMs, writer } = event;
  if (typeof reply === "string" && typeof at === "number")
    return [
      { type: "start", reply, at, ...(typeof run === "number" && { run }), ...(typeof rev === "number" && { rev }) },
    ];
  const text = eventText(event);
  if (text) return [{ type: "token", text, ...(typeof at === "number" && { at }) }];
  if (typeof seam === "number") return [{ type: "seam", at: seam }];
  if (typeof writer === "string") return [{ type: "writer", model: writer }];
  const partItem = readPartItem(event);
  if (partItem) return [partItem];
  if (!("error" in event) || event.error === null) return [];
  return [
    {
      type: "failure",
      error: errorText(event),
      ...(typeof code === "string" && { code }),
      ...(typeof retryAfterMs === "number" && { retryAfterMs }),
    },
  ];
}

/** Parses an event of a part or of growing reasoning; null for other events. */
function readPartItem({ thought, seq, length, part }: Record<string, unknown>): ReplyItem | null {
  if (typeof thought === "string" && typeof seq === "number" && typeof length === "number")
    return { type: "thought", seq, text: thought, length };
  if (!isObject(part)) return null;
  const { rev, ...own } = part;
  const parsed = messagePartSchema.safeParse(own);
  return parsed.success && typeof rev === "number" ? { type: "part", part: parsed.data, rev } : null;
}
