import type { ChatSession } from "../chat-session.ts";
import { chatOfQueued, isQueued, isRefusedKey } from "./queued-draft-keys.ts";

/** Known draft keys of queued messages, by chat. A draft key without text is not in the queue any more. */
export class QueueContents {
  readonly #drafts: ChatSession["drafts"];
  readonly #draftKeys = new Map<string, string[]>();
  #order = 0;

  constructor(drafts: ChatSession["drafts"]) {
    this.#drafts = drafts;
  }

  /** Returns the next number of the order: Unix time in ms, but never the same twice. */
  nextOrder(): number {
    this.#order = Math.max(Date.now(), this.#order + 1);
    return this.#order;
  }

  /** Adds the draft key of a queued message; ignores any other one. */
  add(draftKey: string): void {
    if (!isQueued(draftKey)) return;
    const chat = chatOfQueued(draftKey);
    const draftKeys = this.of(chat);
    if (!draftKeys.includes(draftKey)) this.#draftKeys.set(chat, [...draftKeys, draftKey].sort());
  }

  /** Removes the draft key of a message that has left the queue for good. Its chat stays, so that its view is renewed. */
  forget(draftKey: string): void {
    const chat = chatOfQueued(draftKey);
    const draftKeys = this.of(chat).filter((each) => each !== draftKey);
    if (draftKeys.length < this.of(chat).length) this.#draftKeys.set(chat, draftKeys);
  }

  chats(): Iterable<string> {
    return this.#draftKeys.keys();
  }

  /** Returns all draft keys of a chat, in the order of queueing. */
  of(chat: string): readonly string[] {
    return this.#draftKeys.get(chat) ?? [];
  }

  /** Returns the draft keys of the messages of a chat. */
  filled(chat: string): string[] {
    return this.of(chat).filter((draftKey) => !this.#drafts.get(draftKey).isEmpty);
  }

  /** Returns the draft keys of the messages that may be sent by themselves. */
  waiting(chat: string): string[] {
    return this.filled(chat).filter((draftKey) => !isRefusedKey(draftKey));
  }
}
