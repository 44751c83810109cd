import { type Chat, chatSchema, messageSchema } from "#contract/conversation/conversation.ts";
import type { AppendRequest } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { IDEMPOTENCY_KEY_HEADER } from "#contract/http.ts";
import { MINUTE } from "#contract/limits.ts";
import type { Api } from "../../api/client.ts";
import { waitOf } from "../../api/problem-text.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { wait } from "../../api/wait.ts";
import type { Guidance } from "../../chats/state/chats-state.ts";
import { isGone } from "../../chats/state/chats-thunks.ts";
import { hasFiles } from "../../chats/state/file-parts.ts";
import { readChat } from "../../chats/state/read-chat.ts";
import { changedFields, isUnchanged } from "../../forms/changed-fields.ts";

/** Stores the files with these ids. */
export type UploadFiles = (ids: readonly string[]) => Promise<void>;

export type SavedGuidance = Pick<Guidance, "effort" | "tools">;

/** A longer wait is left to the user. */
const LONGEST_WAIT_MS = MINUTE;

/** Saves messages as a stored chat. Resumes an attempt that failed halfway, so that no incomplete chat remains. */
export class TemporaryChatSaver {
  readonly #api: Api;
  /** Idempotency key: the same key is the same chat. */
  #key = newRequestKey();

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Stores the messages with their files and parts in a new chat with this effort and these tools. `upload`: stores
   * files. Rejects with the failure.
   */
  async save(messages: readonly AppendRequest[], guidance: SavedGuidance, upload: UploadFiles): Promise<Chat> {
    const chat = await this.#begin();
    const path = conversationPaths.chat(encodeURIComponent(chat.id));
    if (!isBeginningOf(chat.messages, messages)) {
      // The conversation has changed since an earlier attempt.
      this.#key = newRequestKey();
      await this.#api.delete(path);
      return this.save(messages, guidance, upload);
    }
    for (const message of messages.slice(chat.messages.length)) {
      if (message.files) await upload(message.files);
      await this.#add(chat.id, message);
    }
    // Not at the creation: its key would not fit a further attempt with other guidance.
    const { effort = null, tools = null } = chat;
    const change = changedFields<SavedGuidance>({ effort, tools }, guidance);
    if (!isUnchanged(change)) await this.#api.patch(path, change, null);
    const saved = await this.#api.get(path, chatSchema);
    this.#key = newRequestKey();
    return saved;
  }

  /** Adds a message; waits when the server limits the number of messages per minute. */
  async #add(chatId: string, message: AppendRequest): Promise<void> {
    try {
      await this.#api.post(conversationPaths.chatMessage(encodeURIComponent(chatId)), message, messageSchema);
    } catch (cause) {
      const waitMs = waitOf(cause);
      if (waitMs === null || waitMs > LONGEST_WAIT_MS) throw cause;
      await wait(waitMs, new AbortController().signal);
      await this.#add(chatId, message);
    }
  }

  /** Returns the chat with the messages stored by an earlier attempt; another one if that was deleted. */
  async #begin(isAgain = false): Promise<Chat> {
    const headers = { [IDEMPOTENCY_KEY_HEADER]: this.#key };
    try {
      const { id } = await this.#api.post(conversationPaths.chats, {}, chatSchema, { headers });
      return await readChat(this.#api, id);
    } catch (cause) {
      if (!isGone(cause) || isAgain) throw cause;
      this.#key = newRequestKey();
      return this.#begin(true);
    }
  }
}

function isBeginningOf(stored: Chat["messages"], messages: readonly AppendRequest[]): boolean {
  return stored.every((message, at) => {
    const { role, content, files = [] } = messages[at] ?? {};
    return (
      message.role === role &&
      message.content === content &&
      hasFiles(
        message,
        files.map((id) => ({ id })),
      )
    );
  });
}
