import { SECOND } from "#contract/limits.ts";
import { Backoff } from "../api/backoff.ts";
import { wait } from "../api/wait.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import type { Connection, ReplySource } from "./open-reply.ts";

/** Shorter losses of the connection are not shown. */
const SHOWN_AFTER_MS = 2 * SECOND;
/** A connection of this duration resets the backoff, even without text. */
const GOOD_MS = 10 * SECOND;

/** Opens the connections of one reply in sequence, and marks the chat as reconnecting after a while without one. */
export class ReplyConnections {
  readonly #store: ChatsStore;
  readonly #chat: string;
  readonly #signal: AbortSignal;
  readonly #backoff = new Backoff();
  #openedAt = 0;

  constructor(store: ChatsStore, chat: string, signal: AbortSignal) {
    this.#store = store;
    this.#chat = chat;
    this.#signal = signal;
  }

  /**
   * Opens a connection with retries; null after two minutes of failures. `isFirst`: no connection was lost, so the
   * first attempt is made at once. Rejects with the signal's reason.
   */
  async open(
    connect: () => Promise<Connection>,
    { isFirst }: { isFirst: boolean },
  ): Promise<ReplySource | "gone" | null> {
    const timer = setTimeout(() => this.#setWaitReason(true), SHOWN_AFTER_MS);
    try {
      for (let askedMs = 0, isNow = isFirst; ; isNow = false) {
        if (!isNow) {
          const pause = this.#backoff.next(askedMs);
          if (pause === null) return null;
          await wait(pause, this.#signal);
        }
        const next = await connect();
        if (next === "gone" || !("askedMs" in next)) {
          this.#openedAt = Date.now();
          return next;
        }
        askedMs = next.askedMs;
      }
    } finally {
      clearTimeout(timer);
      this.#setWaitReason(false);
    }
  }

  /** Notes the loss of the connection. `hasDelivered`: it has delivered text. */
  lose(hasDelivered: boolean): void {
    if (hasDelivered || Date.now() - this.#openedAt > GOOD_MS) this.#backoff.reset();
  }

  #setWaitReason(isDisconnected: boolean): void {
    const conversation = this.#store.getState().chats.conversations[this.#chat];
    const waitReason = isDisconnected ? "reconnecting" : null;
    if (conversation && conversation.waitReason !== waitReason) {
      this.#store.dispatch(chatEvents.setWaitReason({ chat: this.#chat, waitReason }));
    }
  }
}
