import { type Chat, chatSchema, messageSchema, type Role } from "#contract/conversation.ts";
import { MINUTE } from "#contract/limits.ts";
import { IDEMPOTENCY_KEY_HEADER, paths } from "#contract/paths.ts";
import type { Api } from "../../api/client.ts";
import { waitOf } from "../../api/problem-text.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { wait } from "../../api/wait.ts";
import { isGone } from "../../chats/state/chats-thunks.ts";

/** A longer wait is left to the user. */
const LONGEST_WAIT_MS = MINUTE;

type Turn = { role: Role; content: string };

/** Saves messages as a stored chat. Resumes an attempt that failed halfway, so that no incomplete chat remains. */
export class TemporaryChatSaver {
  readonly #api: Api;
  /** Idempotency key: the same key is the same chat. */
  #key = newRequestKey();

  constructor(api: Api) {
    this.#api = api;
  }

  /** Returns the new chat with all messages. Rejects with the failure. */
  async keep(turns: readonly Turn[]): Promise<Chat> {
    const chat = await this.#begin();
    const path = paths.chat(encodeURIComponent(chat.id));
    if (!isBeginningOf(chat.messages, turns)) {
      // The conversation has changed since an earlier attempt.
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

  /** Adds a message; waits when the server limits the number of messages per minute. */
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

  /** Returns the chat with the messages stored by an earlier attempt; another one if that was deleted. */
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
