import type { ChatSession } from "../chat-session.ts";
import { chatOfQueued, isQueued, isRefusedPlace } from "./queue-place.ts";

/** Known locations of queued messages, by chat. A location without text is not in the queue any more. */
export class QueueContents {
  readonly #drafts: ChatSession["drafts"];
  readonly #places = new Map<string, string[]>();
  #order = 0;

  constructor(drafts: ChatSession["drafts"]) {
    this.#drafts = drafts;
  }

  /** Returns the next number of the order: Unix time in ms, but never the same twice. */
  nextOrder(): number {
    this.#order = Math.max(Date.now(), this.#order + 1);
    return this.#order;
  }

  /** Adds the location of a queued message; ignores any other one. */
  add(place: string): void {
    if (!isQueued(place)) return;
    const chat = chatOfQueued(place);
    const places = this.of(chat);
    if (!places.includes(place)) this.#places.set(chat, [...places, place].sort());
  }

  chats(): Iterable<string> {
    return this.#places.keys();
  }

  /** Returns all locations of a chat, in the order of queueing. */
  of(chat: string): readonly string[] {
    return this.#places.get(chat) ?? [];
  }

  /** Returns the locations of the messages of a chat. */
  filled(chat: string): string[] {
    return this.of(chat).filter((place) => !this.#drafts.get(place).isEmpty);
  }

  /** Returns the locations of the messages that may be sent by themselves. */
  waiting(chat: string): string[] {
    return this.filled(chat).filter((place) => !isRefusedPlace(place));
  }
}
