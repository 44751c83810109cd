import { type Chat, chatSchema, messageSchema, type Role } from "#contract/conversation.ts";
import { IDEMPOTENCY_KEY_HEADER, paths } from "#contract/paths.ts";
import { newRequestKey } from "../../api/request-key.ts";
import type { Api } from "../../chats/chats-store.ts";
import { isGone } from "../../chats/chats-thunks.ts";

type Turn = { role: Role; content: string };

/** Turns messages into a chat that is kept. A try that failed halfway is gone on with, so that it leaves no half chat. */
export class ChatKeeper {
  readonly #api: Api;
  /** The same key is the same chat. */
  #key = newRequestKey();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Gives the new chat with all of the messages. Rejects with what failed. */
  async keep(turns: readonly Turn[]): Promise<Chat> {
    const chat = await this.#begin();
    const path = paths.chat(encodeURIComponent(chat.id));
    if (!isBeginningOf(chat.messages, turns)) {
      // The conversation has gone on otherwise since an earlier try.
      this.#key = newRequestKey();
      await this.#api.delete(path);
      return this.keep(turns);
    }
    for (const { role, content } of turns.slice(chat.messages.length)) {
      await this.#api.post(paths.chatMessage(encodeURIComponent(chat.id)), { role, content }, messageSchema);
    }
    const kept = await this.#api.get(path, chatSchema);
    this.#key = newRequestKey();
    return kept;
  }

  /** The chat with what an earlier try has stored of it; another one where somebody has deleted that. */
  async #begin(isAgain = false): Promise<Chat> {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: this.#key };
    try {
      const { id } = await this.#api.post(paths.chats, {}, chatSchema, { headers });
      return await this.#api.get(paths.chat(encodeURIComponent(id)), chatSchema);
    } catch (cause) {
      if (!isGone(cause) || isAgain) throw cause;
      this.#key = newRequestKey();
      return this.#begin(true);
    }
  }
}

function isBeginningOf(stored: readonly Turn[], turns: readonly Turn[]): boolean {
  return stored.every(({ role, content }, at) => turns[at]?.role === role && turns[at].content === content);
}
