import { SECOND } from "#contract/limits.ts";
import type { Api } from "../api/client.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { AnswerRetry } from "../chats/state/chats-state.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import { refreshChat } from "../chats/state/chats-thunks.ts";
import { wordCode } from "../chats/state/word-failure.ts";
import { i18n } from "../locales/i18n.ts";
import { connect, type JoinReply, type ReplyRequest, type ReplySource, requestReply } from "./open-reply.ts";
import { ReplyConnections } from "./reply-connections.ts";
import type { KnownReply } from "./reply-parts.ts";
import { type ConnectionEnd, ReplyProgress } from "./reply-progress.ts";
import { type ReadReplyOptions, readReply } from "./reply-stream.ts";
import { WordPainter } from "./word-painter.ts";

/** The server sends a keep-alive every 15 s; after two missing ones the connection counts as lost. */
export const reading: ReadReplyOptions = { silenceMs: 40 * SECOND };

/** A request and its response. `model`: its choice of a model; `tries`: how often the answer was repeated by itself. */
export type Asked = { request: ReplyRequest; response: Response } & Omit<AnswerRetry, "at">;

/** Returns when a failed answer may be repeated by itself; undefined if its provider has not asked for a wait. */
export function retryOf(end: ConnectionEnd, asked: Omit<AnswerRetry, "at"> | null): AnswerRetry | undefined {
  if (end.type !== "failed" || end.retryAfterMs === undefined || !asked) return undefined;
  return { at: performance.now() + end.retryAfterMs, model: asked.model, tries: asked.tries };
}

const GIVEN_UP: ConnectionEnd = { type: "failed", error: null, code: "unreachable" };

type Deps = {
  store: ChatsStore;
  api: Api;
  join: JoinReply;
  chat: string;
  /** The request and its response; null to join `known.reply`. */
  asked: Asked | null;
  known: KnownReply;
  /** Called when the server has reported the end of the reply, which it has stored by then. */
  onEnd: () => void;
};

/** Follows one reply to its end over any number of connections, and dispatches its text to the chats' state. */
export class FollowedReply {
  readonly #deps: Deps;
  readonly #leaving = new AbortController();
  readonly #started = Promise.withResolvers<void>();
  readonly #connections: ReplyConnections;
  readonly #painter: WordPainter;
  readonly #progress: ReplyProgress;
  /** Whether Stop was requested. */
  isStopped = false;
  /** Resolves when following has ended. `isLost`: the end of the reply was not received. */
  readonly finished: Promise<{ isLost: boolean }>;

  constructor(deps: Deps) {
    const { store, chat, known } = deps;
    this.#deps = deps;
    this.#connections = new ReplyConnections(store, chat, this.#leaving.signal);
    this.#painter = new WordPainter(known.text.length, (token) =>
      store.dispatch(chatEvents.receiveStreamToken({ chat, token })),
    );
    this.#progress = new ReplyProgress(known, {
      start: (reply) => {
        store.dispatch(chatEvents.receiveStreamStart({ chat, reply, at: Date.now() }));
        this.#started.resolve();
      },
      text: (text) => this.#painter.push(text),
      writer: (model) => store.dispatch(chatEvents.receiveWriter({ chat, model })),
      seam: (seam) => store.dispatch(chatEvents.receiveStreamSeam({ chat, seam })),
      part: (part, rev) => store.dispatch(chatEvents.receivePart({ chat, part, rev })),
      discardParts: () => store.dispatch(chatEvents.discardParts({ chat })),
      cut: (at) => {
        this.#painter.flush();
        store.dispatch(chatEvents.cutReply({ chat, at }));
      },
    });
    if (known.reply !== null) this.#started.resolve();
    // It rejects only when the page is left, and then nothing waits for it.
    this.finished = this.#run().catch(() => ({ isLost: false }));
  }

  /** Resolves when the server has sent the reply's id, or when following has ended. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  abort(): void {
    this.#leaving.abort();
    this.#progress.end();
    this.showRest();
  }

  /**
   * Paints the rest of an ended reply at once.
   * @returns false if the reply has not ended, or is painted already
   */
  showRest(): boolean {
    if (!this.#painter.isDraining) return false;
    this.#painter.flush();
    return true;
  }

  async #run(): Promise<{ isLost: boolean }> {
    const end = await this.#readToEnd().finally(() => {
      this.#started.resolve();
      this.#progress.end();
    });
    if (end.type === "done" || (end.type === "failed" && end !== GIVEN_UP)) this.#deps.onEnd();
    if (!this.#leaving.signal.aborted) await this.#reportEnd(end);
    return { isLost: end === GIVEN_UP || end.type === "lost" };
  }

  async #readToEnd(): Promise<ConnectionEnd> {
    const progress = this.#progress;
    let source = this.#deps.asked?.response ?? (await this.#open(true));
    for (;;) {
      if (source === "gone") return { type: "moved" };
      if (source === null) return GIVEN_UP;
      const before = progress.received;
      const end = await this.#readOne(source);
      if (end.type !== "lost" || this.#isBeingDeleted()) return end;
      this.#connections.lose(progress.received > before);
      // Text without a reply id is from another server, whose replies cannot be resumed.
      if (progress.reply === null && progress.received > 0) return { type: "failed", error: null };
      source = await this.#open(false);
    }
  }

  #open(isFirst: boolean): Promise<ReplySource | "gone" | null> {
    const { api, join, chat, asked } = this.#deps;
    const { reply, received, run, parts } = this.#progress;
    const ask = (signal: AbortSignal): Promise<ReplySource> => {
      if (reply !== null) return join({ chat, reply, received, run, parts }, signal);
      // The response broke off before its start: repeating the request with its key returns the same reply.
      return asked ? requestReply(api, asked.request, signal) : Promise.reject(new Error("Nothing was asked"));
    };
    return this.#connections.open(() => connect(ask, this.#leaving.signal), { isFirst });
  }

  async #readOne(source: ReplySource): Promise<ConnectionEnd> {
    let end: ConnectionEnd = { type: "lost" };
    try {
      const items = source instanceof Response ? readReply(source, reading) : source.read(reading);
      end = await this.#progress.read(items);
    } catch {
      // The connection was lost.
    }
    const isEnd = end.type === "done" || end.type === "failed";
    const isUnwanted = this.isStopped || this.#leaving.signal.aborted || this.#isBeingDeleted();
    if (!isEnd || isUnwanted) this.#painter.flush();
    else {
      // A Stop that waits for the start paints the rest.
      this.#started.resolve();
      await this.#painter.drain();
    }
    return end;
  }

  /** Whether a deletion of the chat is pending; its reply ends before the response to the deletion arrives. */
  #isBeingDeleted(): boolean {
    return this.#deps.store.getState().chats.loading.includes(`delete:${this.#deps.chat}`);
  }

  async #reportEnd(end: ConnectionEnd): Promise<void> {
    const { store, chat, asked } = this.#deps;
    if (this.#isBeingDeleted()) {
      // If the deletion fails, the chat is read again.
      store.dispatch(chatEvents.completeStream({ chat }));
      return;
    }
    if (end.type === "failed") {
      const error = wordCode(end.code) ?? end.error ?? i18n.t("chat:failure.stream");
      store.dispatch(chatEvents.failStream({ chat, error, isUnsent: false, retry: retryOf(end, asked) }));
      // The failure is already shown; the stored part of the reply is read if possible.
      await store.dispatch(refreshChat(chat)).catch(() => {});
      return;
    }
    store.dispatch(chatEvents.completeStream({ chat, isStopped: this.isStopped }));
    await store.dispatch(refreshChat(chat)).catch(() => {
      store.dispatch(chatEvents.setError({ chat, error: i18n.t("chat:failure.refresh") }));
    });
  }
}
