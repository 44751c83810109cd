import type { IncomingMessage } from "node:http";
import { readEvents, type StreamEvent } from "../../testing/http/read-events.ts";

/** How far a reader had read, and when, in `performance.now()`. */
export type Sighting = { length: number; at: number };

/** When a reader was told that less is stored than it had seen. */
export type Truncation = { from: number; to: number; at: number };

export type ReadOptions = {
  /** Leave once this much of the text is there (UTF-16 units). */
  leaveAt?: number;
  /** Break the connection by a reset after so many bytes, be it in the middle of a character. */
  cutAfterBytes?: number;
  /** Leave where nothing came for so long, as browsers do where not even a sign of life comes. */
  stallMs?: number;
  /** Told of every piece. */
  onText?: (length: number) => void;
};

/**
 * One reader of one reply, over as many connections as it takes. Holds the text as a browser would, and notes whatever
 * no reader may ever see: a gap, a repeat, another reply.
 */
export class ReplyReader {
  text = "";
  replyId: string | undefined;
  /** Was told that the reply has ended. */
  isDone = false;
  failure: StreamEvent | undefined;
  readonly sightings: Sighting[] = [];
  readonly truncations: Truncation[] = [];
  readonly seams: number[] = [];
  readonly problems: string[] = [];

  /** Reads one connection to its end, or to where this reader leaves. @returns whether the reply's end was told */
  async read(answer: IncomingMessage, options: ReadOptions = {}): Promise<boolean> {
    const { leaveAt, onText } = options;
    this.isDone = false;
    this.failure = undefined;
    try {
      for await (const event of readEvents({ body: bytesOf(answer, options) })) {
        if (event === "[DONE]") this.isDone = true;
        else this.#take(event);
        onText?.(this.text.length);
        if (leaveAt !== undefined && this.text.length >= leaveAt) break;
      }
    } catch (error) {
      if (!isBrokenConnection(error)) this.problems.push(`unreadable stream: ${error}`);
    }
    answer.destroy();
    return this.isDone;
  }

  /** Takes over what is stored, as a browser does that opens the chat anew. */
  adopt(stored: string): void {
    if (stored.startsWith(this.text)) this.text = stored;
    else if (this.text.startsWith(stored)) this.#truncate(stored.length);
    else this.problems.push("what is stored is not what was read");
  }

  #truncate(length: number): void {
    this.truncations.push({ from: this.text.length, to: length, at: performance.now() });
    this.text = this.text.slice(0, length);
  }

  #take(event: StreamEvent): void {
    if (event.reply !== undefined) this.#start(event.reply, event.at ?? Number.NaN);
    else if (event.token !== undefined) this.#grow(event.token, event.at ?? Number.NaN);
    else if (event.seam !== undefined) this.seams.push(event.seam);
    else if (event.code !== undefined) this.failure = event;
    else this.problems.push(`unknown event ${JSON.stringify(event)}`);
  }

  #start(reply: string, at: number): void {
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

/** Whatever Node's HTTP client throws when the other side goes away; all else is a fault of the stream itself. */
function isBrokenConnection(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ECONNRESET" || code === "EPIPE" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
