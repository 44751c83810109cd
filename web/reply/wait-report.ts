import type { ApiError } from "../api/client.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import { wordCode } from "../chats/state/word-failure.ts";
import { wordRefusal } from "./reply-refusal.ts";

/** Returns the text for a failed response; null if there was no response. */
export function wordAnswer({ status, body = "" }: ApiError): string | null {
  if (status === 0) return null;
  const { code, text } = wordRefusal(status, body);
  return wordCode(code) ?? text;
}

/** Banner of one request that is refused for the moment and repeated. `chat`: null for a new chat. */
export class WaitReport {
  readonly #store: ChatsStore;
  readonly #chat: string | null;
  #shown: string | null = null;

  constructor(store: ChatsStore, chat: string | null) {
    this.#store = store;
    this.#chat = chat;
  }

  /** Shows each text once: the person may have closed the banner since. */
  show(text: string | null): void {
    if (text === null || text === this.#shown) return;
    this.#shown = text;
    this.#store.dispatch(chatEvents.setError({ chat: this.#chat, error: text }));
  }

  clear(): void {
    const { error } = this.#store.getState().chats;
    if (error?.chat === this.#chat && error.text === this.#shown) this.#store.dispatch(chatEvents.clearError());
  }
}
