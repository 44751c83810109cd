import type { AnswerRetry, ClientMessage, Conversation } from "../../chats/state/chats-state.ts";
import { Emitter } from "../../store/emitter.ts";
import type { QueueSession } from "./queue-sender.ts";
import { RefusedRetries } from "./refused-retries.ts";

/** A retry that was scheduled, and the message after which its chat ended then. */
type Seen = { retry: AnswerRetry; last: ClientMessage };

/**
 * Repeats answers that failed because their provider asked for a wait: after it, with the same model, unless the person
 * requests something in the chat meanwhile, or its last message is another one. Only the page that asked for the answer
 * repeats it.
 */
export class AnswerRetries {
  readonly #session: QueueSession;
  readonly #seen = new Map<string, Seen>();
  readonly #changes = new Emitter();
  readonly #waits = new RefusedRetries(
    (chat, tries) => this.#answer(chat, tries),
    () => this.#changes.notify(),
  );

  constructor(session: QueueSession) {
    this.#session = session;
    const leave = session.store.subscribe(() => this.#follow());
    session.atEnd(() => {
      leave();
      this.#waits.dispose();
    });
    this.#follow();
  }

  readonly subscribe = this.#changes.subscribe;

  /** Returns the time (`performance.now`) of the next attempt in a chat; null if there is none. */
  nextOf(chat: string): number | null {
    return this.#waits.nextOf(chat);
  }

  cancel(chat: string): void {
    this.#waits.cancel(chat);
  }

  #follow(): void {
    const { conversations } = this.#session.store.getState().chats;
    for (const chat of this.#seen.keys()) if (!conversations[chat]?.retry) this.#forget(chat);
    for (const conversation of Object.values(conversations)) this.#followOne(conversation);
  }

  #followOne({ id: chat, retry, messages }: Conversation): void {
    const last = messages.at(-1);
    const seen = this.#seen.get(chat);
    if (!retry || !last) return;
    if (seen?.retry === retry) {
      if (isSameMessage(seen.last, last)) this.#seen.set(chat, { retry, last });
      else this.cancel(chat);
      return;
    }
    this.#forget(chat);
    this.#seen.set(chat, { retry, last });
    const waitMs = retry.at - performance.now();
    // This module may have been loaded long after the failure, when the person has left.
    if (waitMs > 0 && this.#modeOf(last)) this.#waits.begin(chat, waitMs, retry.tries);
  }

  #forget(chat: string): void {
    this.#seen.delete(chat);
    this.cancel(chat);
  }

  #answer(chat: string, tries: number): void {
    this.#changes.notify();
    const { store, replies } = this.#session;
    const { messages = [], retry } = store.getState().chats.conversations[chat] ?? {};
    const last = messages.at(-1);
    const mode = last && this.#modeOf(last);
    // Without its id the server could not refuse a request that another page has made meanwhile.
    const isKnown = last?.id !== null || this.#session.storedSession !== null;
    if (retry && mode && isKnown) void replies.answer(chat, mode, retry.model, undefined, tries);
  }

  /** Returns the request that repeats an answer without loss of its text; undefined if there is none. */
  #modeOf({ role, state }: ClientMessage): "retry" | "continue" | undefined {
    if (role === "user") return "retry";
    // A temporary answer cannot be continued, and another one would replace it.
    return state === "failed" && !this.#session.storedSession ? "continue" : undefined;
  }
}

/** Whether both are the same message, whose id may not have been known before. */
const isSameMessage = (before: ClientMessage, now: ClientMessage) =>
  before.role === now.role && (before.id === null ? before.content === now.content : before.id === now.id);
