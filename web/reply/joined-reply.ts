import { isRunning } from "#contract/conversation/reply-state.ts";
import { SECOND } from "#contract/limits.ts";
import { ApiError } from "../api/api-error.ts";
import type { Api } from "../api/client.ts";
import { ANSWER_MS, askOnce } from "../api/keep-trying.ts";
import type { PageVisibility } from "../api/page-visibility.ts";
import { verdict } from "../api/verdict.ts";
import { wait } from "../api/wait.ts";
import { readChat } from "../chats/state/read-chat.ts";
import { openReply, type ReplyPosition, type ReplyReading } from "./open-reply.ts";
import { ReadPosition } from "./read-position.ts";
import type { ReplySlots, Slot } from "./reply-slots.ts";
import { type ReadReplyOptions, type ReplyItem, readReply } from "./reply-stream.ts";
import { askWithSlot, isOpenStream } from "./slotted-response.ts";

/** Polling interval of the chat of a reply without a slot. */
const POLL_MS = 1.5 * SECOND;
/** Time without a successful poll, from the start of the first failed one, after which the connection counts as lost. */
const LOST_AFTER_MS = 2 * POLL_MS;

export type SlottedStream = { slot: Slot; response: Response };

type JoinedReplyDeps = {
  api: Api;
  slots: ReplySlots;
  page: PageVisibility;
  position: ReplyPosition;
  signal: AbortSignal;
  /** `isOver`: the rest can only be read from the reply's own stream. */
  onEnd: (isOver: boolean) => void;
};

/**
 * Reads one reply from two sources: its stream while this tab has a slot for it, and polls of its chat while it has
 * none. Ends without an end mark when polling finds that the reply is not running any more: the caller then opens its
 * stream.
 */
export class JoinedReply implements ReplyReading {
  readonly chat: string;
  readonly #deps: JoinedReplyDeps;
  readonly #position: ReadPosition;
  /** Whether the tab has become visible since the last request for a slot. */
  #isWanted = false;
  #pollRequested = Promise.withResolvers<void>();
  /** Start of the first of the last polls, which have all failed; null if the last one succeeded. */
  #failingSince: number | null = null;
  /** Items of polls that {@link read} has not yielded yet. */
  #news: ReplyItem[] = [];
  #first: SlottedStream | null = null;

  constructor(deps: JoinedReplyDeps) {
    this.#deps = deps;
    this.chat = deps.position.chat;
    this.#position = new ReadPosition(deps.position);
  }

  /** Starts with this stream instead of a poll. */
  beginWith(stream: SlottedStream): void {
    this.#first = stream;
  }

  /** Polls the chat now. */
  pollNow(): void {
    this.#pollRequested.resolve();
  }

  /**
   * Reads the chat; {@link read} yields the new items.
   * @returns false if the reply is not running or cannot be read
   * @throws ApiError if the server is unreachable or has failed, so that a later poll may succeed
   */
  async poll(): Promise<boolean> {
    const { api, position, signal } = this.#deps;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    try {
      const { messages } = await readChat(api, position.chat, { signal: limited });
      const message = messages.find(({ id }) => id === position.reply);
      if (!message || !isRunning(message.state)) return false;
      this.#news.push(...this.#position.takeMessage(message));
      return true;
    } catch (cause) {
      signal.throwIfAborted();
      if (!(cause instanceof ApiError)) throw new ApiError(0, "No answer", { code: "unreachable", cause });
      const isRefused = cause.status >= 400 && cause.status < 500 && cause.status !== 404;
      if (isRefused || verdict(cause) === "gone") return false;
      throw cause;
    }
  }

  /**
   * Yields the items of both sources in batches as they arrive.
   * @throws if the stream breaks, or polls fail for a while: the caller then reconnects with its backoff
   */
  async *read(options: ReadReplyOptions): AsyncGenerator<ReplyItem[]> {
    const { page, signal } = this.#deps;
    const stopWatching = page.subscribe(() => {
      if (!page.isVisible()) return;
      this.#isWanted = true;
      this.pollNow();
    });
    let isOver = false;
    try {
      let stream = this.#first;
      while (!isOver) {
        if (stream) {
          if (yield* this.#readStream(stream, options)) return;
          // The stream has ended without losing its slot; the caller opens it again.
          if (!stream.slot.lost.aborted) return;
        } else yield* this.#takeNews();
        await this.#pause();
        stream = await this.#openStream();
        if (stream) this.#failingSince = null;
        else isOver = !(await this.#pollAgain());
      }
    } catch (cause) {
      if (!signal.aborted) throw cause;
    } finally {
      stopWatching();
      this.#deps.onEnd(isOver);
    }
  }

  *#takeNews(): Generator<ReplyItem[]> {
    const news = this.#news.splice(0);
    if (news.length > 0) yield news;
  }

  /** {@link poll} that tolerates failures for a short time. */
  async #pollAgain(): Promise<boolean> {
    const began = Date.now();
    try {
      const isRunning = await this.poll();
      this.#failingSince = null;
      return isRunning;
    } catch (cause) {
      this.#failingSince ??= began;
      if (Date.now() - this.#failingSince >= LOST_AFTER_MS) throw cause;
      return true;
    }
  }

  /** @returns whether the reply has ended */
  async *#readStream({ response }: SlottedStream, options: ReadReplyOptions): AsyncGenerator<ReplyItem[], boolean> {
    for await (const together of readReply(response, options)) {
      const items = this.#position.takeStreamed(together);
      if (items.length > 0) yield items;
      if (items.some(({ type }) => type === "done")) return true;
    }
    return false;
  }

  async #pause(): Promise<void> {
    await Promise.race([wait(POLL_MS, this.#deps.signal), this.#pollRequested.promise]);
    this.#pollRequested = Promise.withResolvers();
  }

  /** Requests a slot. Takes one from another tab only if this tab has become visible. */
  async #openStream(): Promise<SlottedStream | null> {
    const { slots, api, position, signal } = this.#deps;
    const isWanted = this.#isWanted;
    this.#isWanted = false;
    const slot = await (isWanted ? slots.take() : slots.tryTake());
    if (!slot) return null;
    const { received, run, parts } = this.#position;
    try {
      const ask = (asked: AbortSignal) => openReply(api, { ...position, received, run, parts }, asked);
      const response = await askWithSlot(slot, () => askOnce(ask, signal));
      if (isOpenStream(response)) return { slot, response };
      await response.body?.cancel();
    } catch {
      signal.throwIfAborted();
    }
    return null;
  }
}
