import { type Chat, chatSchema, messageSchema, type Role } from "#contract/conversation.ts";
import { MINUTE } from "#contract/limits.ts";
import { IDEMPOTENCY_KEY_HEADER, paths } from "#contract/paths.ts";
import type { Api } from "../../api/client.ts";
import { waitOf } from "../../api/problem-text.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { wait } from "../../api/wait.ts";
import { isGone } from "../../chats/state/chats-thunks.ts";

/** After a longer time the person decides. */
const LONGEST_WAIT_MS = MINUTE;

type Turn = { role: Role; content: string };

/** Turns messages into a chat that is kept. A try that failed halfway is gone on with, so that it leaves no half chat. */
export class TemporaryChatSaver {
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
      await this.#add(chat.id, { role, content });
    }
    const kept = await this.#api.get(path, chatSchema);
    this.#key = newRequestKey();
    return kept;
  }

  /** Adds a message; a long conversation waits wherever the server limits how many may be added in a minute. */
  async #add(chatId: string, turn: Turn): Promise<void> {
    try {
      await this.#api.post(paths.chatMessage(encodeURIComponent(chatId)), turn, messageSchema);
    } catch (cause) {
      const waitMs = waitOf(cause);
      if (waitMs === null || waitMs > LONGEST_WAIT_MS) throw cause;
      await wait(waitMs, new AbortController().signal);
      await this.#add(chatId, turn);
    }
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
