import type { IncomingMessage } from "node:http";
import type { Message } from "#contract/conversation/conversation.ts";
import { PartsView } from "../../testing/chats/parts-view.ts";
import { readEvents, type StreamEvent } from "../../testing/http/read-events.ts";
import { GIVE_UP_MS } from "../bounded.ts";

/** Position of a reader at a time (`performance.now()`). */
export type Sighting = { length: number; at: number };

/** Time and positions at which a reader learned that less text is stored than it had received. */
export type Truncation = { from: number; to: number; at: number };

export type ReadOptions = {
  /** Disconnect at this length of the text (UTF-16 units). */
  leaveAt?: number;
  /** Reset the connection after this number of bytes, possibly within a character. */
  cutAfterBytes?: number;
  /** Disconnect after this silence, like browsers do without keep-alives. */
  stallMs?: number;
  /** Called for every event. */
  onText?: (length: number) => void;
};

/**
 * One reader of one reply, over any number of connections. Joins the text like a browser, and records violations: gaps,
 * repetitions, text of another reply.
 */
export class ReplyReader {
  text = "";
  replyId: string | undefined;
  /** Whether the end of the reply was received. */
  isDone = false;
  failure: StreamEvent | undefined;
  readonly sightings: Sighting[] = [];
  readonly truncations: Truncation[] = [];
  readonly seams: number[] = [];
  readonly problems: string[] = [];
  readonly view = new PartsView();

  /** Reads one connection to its end, or until this reader disconnects. @returns whether the reply has ended */
  async read(answer: IncomingMessage, options: ReadOptions = {}): Promise<boolean> {
    const { leaveAt, onText } = options;
    this.isDone = false;
    this.failure = undefined;
    // Keep-alives alone would keep a connection open without end.
    const timer = setTimeout(() => answer.destroy(), GIVE_UP_MS);
    try {
      for await (const event of readEvents({ body: bytesOf(answer, options) })) {
        if (event === "[DONE]") this.isDone = true;
        else this.#take(event);
        onText?.(this.text.length);
        if (leaveAt !== undefined && this.text.length >= leaveAt) break;
      }
    } catch (error) {
      if (!isBrokenConnection(error)) this.problems.push(`unreadable stream: ${error}`);
    } finally {
      clearTimeout(timer);
    }
    answer.destroy();
    return this.isDone;
  }

  /** Takes over the stored text, like a browser that reopens the chat. */
  adopt(message: Pick<Message, "content" | "parts" | "rev">): void {
    const { content: stored } = message;
    this.view.adopt(message);
    if (stored.startsWith(this.text)) this.text = stored;
    else if (this.text.startsWith(stored)) this.#truncate(stored.length);
    else this.problems.push("the stored text differs from the received text");
  }

  #truncate(length: number): void {
    this.truncations.push({ from: this.text.length, to: length, at: performance.now() });
    this.text = this.text.slice(0, length);
  }

  #take(event: StreamEvent): void {
    if (event.reply !== undefined) this.#start(event.reply, event);
    else if (event.token !== undefined) this.#grow(event.token, event.at ?? Number.NaN);
    else if (event.part !== undefined || event.thought !== undefined) this.#takePart(event);
    else if (event.seam !== undefined) this.seams.push(event.seam);
    else if (event.code !== undefined) this.failure = event;
    else if (event.writer === undefined) this.problems.push(`unknown event ${JSON.stringify(event)}`);
  }

  #takePart(event: StreamEvent): void {
    try {
      if (event.part) this.view.put(event.part);
      else this.view.think(event);
    } catch (error) {
      this.problems.push(String(error));
    }
  }

  #start(reply: string, event: StreamEvent): void {
    const { at = Number.NaN } = event;
    this.view.begin(event);
    this.replyId ??= reply;
    if (reply !== this.replyId) this.problems.push(`asked for reply ${this.replyId}, got ${reply}`);
    const held = this.text.length;
    if (at > held || Number.isNaN(at)) this.problems.push(`gap: held ${held}, the stream begins at ${at}`);
    if (at < held) this.#truncate(at);
  }

  #grow(token: string, at: number): void {
    this.text += token;
    if (at !== this.text.length) this.problems.push(`a piece says it ends at ${at}, but ends at ${this.text.length}`);
    this.sightings.push({ length: this.text.length, at: performance.now() });
  }
}

async function* bytesOf(answer: IncomingMessage, { cutAfterBytes, stallMs }: ReadOptions): AsyncGenerator<Uint8Array> {
  let left = cutAfterBytes ?? Number.POSITIVE_INFINITY;
  if (stallMs) answer.setTimeout(stallMs, () => answer.destroy());
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left > 0) continue;
    answer.socket.resetAndDestroy();
    return;
  }
}

/** Whether Node's HTTP client reports a lost connection; other errors are faults of the stream. */
function isBrokenConnection(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ECONNRESET" || code === "EPIPE" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
