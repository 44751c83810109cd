import { chatSchema, type Message } from "#contract/conversation.ts";
import { SECOND } from "#contract/limits.ts";
import { REPLY_DONE } from "#contract/reply-events.ts";
import { ApiError } from "../api/api-error.ts";
import type { api as client } from "../api/client.ts";
import { LineCutter } from "../api/line-cutter.ts";
import type { PageVisibility } from "../api/page-visibility.ts";
import { verdict } from "../api/verdict.ts";
import { wait } from "../api/wait.ts";
import type { ReplySlots, Slot } from "./reply-slots.ts";
import { parseObject } from "./reply-text.ts";

/** Without a connection of its own a reply is read from its chat so often. */
export const LOOK_MS = 1.5 * SECOND;

type Parts = {
  api: Pick<typeof client, "open" | "get">;
  slots: ReplySlots;
  page: PageVisibility;
  /** Path of the reply's stream; `chat` and `reply` are ids. */
  path: string;
  chat: string;
  reply: string;
  /** UTF-16 units that its reader has. */
  from: number;
  /** In which run of its writing they were told; null where that is not known. */
  run: number | null;
  signal: AbortSignal | undefined;
  /** `isOver`: only the reply's own stream can tell the rest. */
  onEnd: (isOver: boolean) => void;
};

type Connection = { slot: Slot; response: Response };

/**
 * One reply as one stream of events, over a connection of its own while it has a slot, and else by reading the chat. Ends
 * without the last word when only the reply's own stream can tell how it ended: whoever follows it then asks for that.
 */
export class JoinedReply {
  readonly chat: string;
  readonly #parts: Parts;
  readonly #leaving = new AbortController();
  #at: number;
  /** The run in which the reader was told what it has. */
  #toldIn: number | null;
  /** Seams that the reader has been told of. */
  readonly #seams = new Set<number>();
  #hasStarted = false;
  #hasEnded = false;
  #isWanted = false;
  #nudged = Promise.withResolvers<void>();
  #emit: ((data: string) => void) | null = null;
  /** Read before somebody follows. */
  #waiting: object[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.chat = parts.chat;
    this.#at = parts.from;
    this.#toldIn = parts.run;
  }

  nudge(): void {
    this.#nudged.resolve();
  }

  stream(connection: Connection | null): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream({
      start: (controller) => {
        this.#emit = (data) => controller.enqueue(encoder.encode(`data: ${data}\n\n`));
        if (!connection) this.#emitWaiting();
        this.#run(connection).then(
          () => !this.#leaving.signal.aborted && controller.close(),
          (cause: unknown) => controller.error(cause),
        );
      },
      cancel: () => this.#leaving.abort(),
    });
  }

  /** Gives out what the chat's reading has of the reply. False: it is not being written any more, or cannot be read. */
  async look(): Promise<boolean> {
    try {
      const { messages } = await this.#parts.api.get(this.chat, chatSchema);
      const message = messages.find(({ id }) => id === this.#parts.reply);
      if (message?.state !== "writing") return false;
      this.#give(message);
      return true;
    } catch (cause) {
      // What cannot be reached now may be there at the next look.
      if (!(cause instanceof ApiError)) return true;
      const isRefused = cause.status >= 400 && cause.status < 500 && cause.status !== 404;
      return !isRefused && verdict(cause) !== "gone";
    }
  }

  async #run(connection: Connection | null): Promise<void> {
    const { page, signal } = this.#parts;
    const leave = () => this.#leaving.abort();
    signal?.addEventListener("abort", leave);
    const stopWatching = page.subscribe(() => {
      if (!page.isVisible()) return;
      this.#isWanted = true;
      this.nudge();
    });
    let isOver = false;
    try {
      let next = connection;
      for (;;) {
        if (next && !(await this.#read(next))) return;
        await this.#pause();
        next = await this.#connect();
        isOver = next === null && !(await this.look());
        if (isOver) return;
      }
    } catch (cause) {
      if (!this.#leaving.signal.aborted) throw cause;
    } finally {
      stopWatching();
      signal?.removeEventListener("abort", leave);
      this.#parts.onEnd(isOver);
    }
  }

  async #pause(): Promise<void> {
    this.#nudged = Promise.withResolvers();
    await Promise.race([wait(LOOK_MS, this.#leaving.signal), this.#nudged.promise]);
  }

  /** Only a person who turns to this tab takes a slot from another one. */
  async #connect(): Promise<Connection | null> {
    const { slots, api, path } = this.#parts;
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    const slot = await (isWanted ? slots.take() : slots.tryTake());
    if (!slot) return null;
    try {
      const run = this.#toldIn !== null && { run: String(this.#toldIn) };
      const query = new URLSearchParams({ reply: this.#parts.reply, from: String(this.#at), ...run });
      const headers = { accept: "text/event-stream" };
      const response = await api.open(`${path.split("?")[0]}?${query}`, { headers, signal: this.#leaving.signal });
      if (response.status === 200) return { slot, response };
      await response.body?.cancel();
    } catch {
      this.#leaving.signal.throwIfAborted();
    }
    slot.release();
    return null;
  }

  /** Passes a connection on to its end. True: it ended because its slot was lost. */
  async #read({ slot, response }: Connection): Promise<boolean> {
    const reader = response.body?.getReader();
    const leave = () => void reader?.cancel().catch(() => {});
    slot.lost.addEventListener("abort", leave);
    this.#leaving.signal.addEventListener("abort", leave);
    if (slot.lost.aborted || this.#leaving.signal.aborted) leave();
    const lines = new LineCutter();
    const decoder = new TextDecoder();
    try {
      for (let isDone = !reader; !isDone; ) {
        const piece = await reader?.read();
        isDone = piece?.done ?? true;
        const text = isDone ? decoder.decode() : decoder.decode(piece?.value, { stream: true });
        for (const line of lines.push(text)) if (line.startsWith("data:")) this.#pass(line.slice(5).trimStart());
      }
      return slot.lost.aborted && !this.#hasEnded && !this.#leaving.signal.aborted;
    } finally {
      slot.release();
      this.#leaving.signal.removeEventListener("abort", leave);
    }
  }

  #pass(data: string): void {
    const event = parseObject(data);
    const before = this.#at;
    if (typeof event?.at === "number") this.#at = event.at;
    if (typeof event?.run === "number") this.#toldIn = event.run;
    if (typeof event?.seam === "number") this.#seams.add(event.seam);
    if (typeof event?.reply === "string") {
      // A further start tells only that words were lost.
      if (this.#hasStarted && this.#at >= before) return;
      this.#hasStarted = true;
    }
    this.#hasEnded ||= data === REPLY_DONE;
    this.#emit?.(data);
  }

  /** The part of a stored text that is new, as the server would stream it. */
  #give({ content, seams = [] }: Message): void {
    const { reply } = this.#parts;
    // Behind a seam that is new to the reader, words that it has seen may be lost: they are told anew from there.
    const unknown = seams.find((seam) => seam < this.#at && !this.#seams.has(seam));
    const at = Math.min(this.#at, unknown ?? content.length, content.length);
    if (!this.#hasStarted || at < this.#at) this.#waiting.push({ reply, at });
    if (unknown !== undefined) this.#waiting.push({ seam: at });
    this.#hasStarted = true;
    this.#at = at;
    for (const seam of seams) this.#seams.add(seam);
    const ends = [...seams.filter((seam) => seam > this.#at && seam < content.length), content.length];
    for (const end of ends) {
      if (end <= this.#at) break;
      this.#waiting.push({ token: content.slice(this.#at, end), at: end });
      this.#at = end;
      if (end < content.length) this.#waiting.push({ seam: end });
    }
    this.#emitWaiting();
  }

  #emitWaiting(): void {
    if (!this.#emit) return;
    // Without news it is a sign of life.
    if (this.#waiting.length === 0) this.#emit("");
    for (const event of this.#waiting.splice(0)) this.#emit(JSON.stringify(event));
  }
}
