import type { Chat, Message } from "#contract/conversation/conversation.ts";
import type { ReplyRequest as ReplyWish } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import { SECOND } from "#contract/limits.ts";
import { AUTO_MODEL } from "#contract/models/models.ts";
import type { Api } from "../api/client.ts";
import { newRequestKey } from "../api/request-key.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import { refreshChat } from "../chats/state/chats-thunks.ts";
import { hasFiles } from "../chats/state/file-parts.ts";
import { readChat } from "../chats/state/read-chat.ts";
import { wordFailure } from "../chats/state/word-failure.ts";
import { i18n } from "../locales/i18n.ts";
import type { Asked } from "./followed-reply.ts";
import { type JoinReply, openReply, type ReplyRequest } from "./open-reply.ts";
import { isOfBudget, PendingRequests, type Refused } from "./pending-requests.ts";
import { ReplyFollower } from "./reply-follower.ts";
import { type KnownReply, knownReply } from "./reply-parts.ts";

/** Time (ms) in which a cancelled message checks whether the server has stored it after all. */
const READ_TIMEOUT_MS = 3 * SECOND;

/**
 * `isAnswered`: the server has accepted or refused; otherwise the next send of the same text reuses the key. `code`: the
 * error code of a refusal; `file`: id of the file that it is about; `retryAfterMs`: see {@link Refused}.
 */
export type SendOutcome = {
  isTaken: boolean;
  isAnswered: boolean;
  chat: string | null;
  code?: string;
  file?: string;
  retryAfterMs?: number | undefined;
};

/** The operations that a conversation's screen uses. */
export type ConversationReplies = Pick<Replies, "send" | "answer" | "join" | "stop" | "cancel">;

/**
 * `key`: idempotency key of an earlier attempt, which may have been accepted. `files`: uploaded ones. `onRefused`: takes a
 * message that the server has refused, or not answered in time, in the same task in which it leaves the chats' state.
 * `prepareRefused`: awaited before, while the message is still in the chats' state; must not reject.
 */
export type SendOptions = {
  key?: string | undefined;
  files?: readonly AttachedFile[];
  onRefused?: (outcome: SendOutcome) => void;
  prepareRefused?: () => Promise<unknown>;
};

/** A message to send and its model. `branchBase`: the messages before a new branch. */
type Sending = SendOptions & { text: string; model: string; branchBase?: readonly ClientMessage[] };

/** Requests, joins and stops replies. One instance for each store, outside React; ended by `dispose`. */
export class Replies {
  readonly #store: ChatsStore;
  readonly #api: Api;
  readonly #leaving = new AbortController();
  readonly #pending: PendingRequests;
  readonly #followed: ReplyFollower;
  readonly #delays = new Map<string, Promise<unknown>>();

  /** `join`: opens a running reply; by default its stream. */
  constructor(store: ChatsStore, api: Api, join: JoinReply = (...args) => openReply(api, ...args)) {
    this.#store = store;
    this.#api = api;
    this.#pending = new PendingRequests(store, api, this.#leaving.signal);
    this.#followed = new ReplyFollower(store, api, join, this.#leaving.signal);
  }

  /**
   * Sends a message to a loaded chat, or to a new one (null). Retries while the server is unreachable, and resolves
   * when it is known whether the server has accepted the message. If it has not, nothing is stored, and the banner shows
   * the error unless the user has cancelled. A message that `onRefused` did not take belongs back into the composer of
   * `chat`.
   */
  async send(to: string | null, text: string, model: string, options: SendOptions = {}): Promise<SendOutcome> {
    const name = nameOf(options);
    const chat = to ?? (await this.#makeChat(name, text, options.files ?? []));
    if (chat === null) return { isTaken: false, isAnswered: false, chat };
    return this.#send(chat, name, { text, model, ...options });
  }

  /**
   * {@link send} that starts a new branch after the messages of `branchBase`. The messages that followed them stay on
   * another branch.
   */
  sendAsBranch(
    chat: string,
    branchBase: readonly ClientMessage[],
    sending: Omit<Sending, "branchBase">,
  ): Promise<SendOutcome> {
    return this.#send(chat, nameOf(sending), { ...sending, branchBase });
  }

  async #send(chat: string, name: string, sending: Sending): Promise<SendOutcome> {
    const before = this.#idle(chat);
    if (!before) return { isTaken: false, isAnswered: false, chat };
    const { text, files = [], model, branchBase, key } = sending;
    const ids = files.map(({ id }) => id);
    const named = ids.length > 0 && { files: ids };
    const parent = lastSeen(branchBase ?? before);
    const body = { message: text, ...named, ...chosen(model), ...parent, ...(branchBase && { branch: true }) };
    this.#store.dispatch(
      chatEvents.sendMessageWithAiStream({ chat, key: name, text, files, ...(branchBase && { branchBase }) }),
    );
    const intent = [text, model, ...(branchBase ? [parent.parent] : []), ...(named ? [named] : [])];
    const request: ReplyRequest = {
      path: `${conversationPaths.chatSend(encodeURIComponent(chat))}?stream=1`,
      body: JSON.stringify(body),
      key: key ?? this.#pending.keyOf(chat, JSON.stringify(intent)),
    };
    const answer = await this.#pending.post(chat, request, this.#delays.get(chat));
    if (!(answer instanceof Response)) return this.#takeBack(chat, { ...sending, key: name, before }, answer);
    this.#follow(chat, { request, response: answer, model, tries: 0 }, { reply: null, text: "" });
    return { isTaken: true, isAnswered: true, chat };
  }

  /**
   * Requests another reply to the last question, an alternative to reply `of`, or the rest of the last reply. `tries`: how
   * often it was requested by itself.
   */
  async answer(chat: string, mode: ReplyWish["mode"], model: string, of?: string, tries = 0): Promise<void> {
    const before = this.#idle(chat);
    const last = before?.at(-1);
    if (!before || !last) return;
    const isContinued = mode === "continue";
    const intent = { mode, ...chosen(model), ...lastSeen(before), ...(of !== undefined && { of }) };
    this.#store.dispatch(chatEvents.requestReply({ chat, key: newRequestKey(), isContinued, of }));
    const body = JSON.stringify(intent);
    const request = {
      path: conversationPaths.chatReply(encodeURIComponent(chat)),
      body,
      key: this.#pending.keyOf(chat, body),
    };
    const answer = await this.#pending.post(chat, request, this.#delays.get(chat));
    if (answer instanceof Response) {
      const known = isContinued ? knownReply(last) : { reply: null, text: "" };
      this.#follow(chat, { request, response: answer, model, tries }, known);
      return;
    }
    if (answer.isGone) return this.#loseChat(chat);
    this.#store.dispatch(chatEvents.withdraw({ chat, messages: before }));
    if (!answer.isCancelled)
      this.#store.dispatch(chatEvents.setError({ chat, error: answer.text, isOfBudget: isOfBudget(answer) }));
    await this.#refetch(chat, answer);
  }

  /** Delays the next send to a chat until an operation has ended. */
  delayNextSend(chat: string, done: Promise<unknown>): void {
    this.#delays.set(chat, done);
    void done.finally(() => this.#delays.get(chat) === done && this.#delays.delete(chat));
  }

  /** Joins the reply of a loaded chat if it is running or may continue. */
  join(chat: string): void {
    this.#followed.join(chat);
  }

  async stop(chat: string): Promise<void> {
    const reply = this.#followed.find(chat);
    // While the request is pending, the server has no reply to stop.
    if (!reply) return this.#pending.stop(chat);
    await reply.started;
    // The server has no reply to stop any more.
    if (reply.showRest()) return;
    reply.isStopped = true;
    try {
      await this.#api.post(conversationPaths.chatStop(encodeURIComponent(chat)), undefined, null);
    } catch (cause) {
      reply.isStopped = false;
      if (!this.#followed.find(chat)) return;
      const error = wordFailure(cause, i18n.t("chat:failure.stop"));
      this.#store.dispatch(chatEvents.setError({ chat, error }));
    }
  }

  /** Cancels the waiting request of a chat, or of a new chat (null). */
  cancel(chat: string | null): void {
    this.#pending.cancel(chat);
  }

  /** Reads the replies that were given up while the server was unreachable. */
  readLost(): void {
    this.#followed.readLost();
  }

  dispose(): void {
    this.#leaving.abort();
  }

  /** Returns the messages of a chat without a pending request or running reply. */
  #idle(chat: string): readonly ClientMessage[] | undefined {
    const conversation = this.#store.getState().chats.conversations[chat];
    return conversation && !conversation.isWriting ? conversation.messages : undefined;
  }

  async #makeChat(key: string, text: string, files: readonly AttachedFile[]): Promise<string | null> {
    if (this.#store.getState().chats.firstMessage) return null;
    this.#store.dispatch(chatEvents.sendFirstMessage({ key, text, files }));
    const chat = await this.#pending.makeChat();
    if (chat === null) this.#store.dispatch(chatEvents.dropFirstMessage());
    return chat;
  }

  #follow(chat: string, asked: Asked, known: KnownReply): void {
    this.#followed.follow(chat, asked, known);
    if (this.#pending.wasStopped(chat)) void this.stop(chat);
  }

  /** Removes a message from the screen that the server has probably not accepted. */
  async #takeBack(
    chat: string,
    sending: Sending & { key: string; before: readonly ClientMessage[] },
    refused: Refused,
  ): Promise<SendOutcome> {
    const { key, before, branchBase } = sending;
    const { isAnswered, text: error, code, retryAfterMs } = refused;
    if (refused.isGone) {
      this.#loseChat(chat);
      // The text for a deleted chat moves to the composer of a new chat.
      return { isTaken: false, isAnswered, chat: null };
    }
    const stored = isAnswered ? null : await this.#readStored(chat);
    const isTaken = stored !== null && holdsNew(stored, sending);
    const isKnown = isAnswered || isTaken;
    const outcome = { isTaken, isAnswered: isKnown, chat, retryAfterMs, ...(code !== undefined && { code }) };
    if (!isTaken && !refused.isCancelled) {
      await sending.prepareRefused?.();
      sending.onRefused?.(outcome);
    }
    if (isTaken || refused.isCancelled || branchBase)
      this.#store.dispatch(chatEvents.withdraw({ chat, messages: before }));
    if (!isTaken && !refused.isCancelled) {
      const branch = code === "conversation-moved" ? { key, before } : undefined;
      const failed = { chat, error, isOfBudget: isOfBudget(refused) };
      if (branchBase) this.#store.dispatch(chatEvents.setError(failed));
      else this.#store.dispatch(chatEvents.failStream({ ...failed, isUnsent: true, branch }));
    }
    if (stored) this.#store.dispatch(chatEvents.loadChatSuccess({ chat: stored }));
    // Not awaited: the text returns to the composer at once.
    else if (isAnswered) void this.#refetch(chat, refused);
    return outcome;
  }

  #loseChat(chat: string): void {
    this.#store.dispatch(chatEvents.loseChat({ chat, error: i18n.t("chat:failure.gone") }));
  }

  /** Reads a loaded chat from the server; null if that fails. */
  async #readStored(chat: string): Promise<Chat | null> {
    if (!this.#store.getState().chats.conversations[chat]) return null;
    try {
      const signal = AbortSignal.any([this.#leaving.signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);
      return await readChat(this.#api, chat, { signal });
    } catch {
      return null;
    }
  }

  /** Reads the newer messages that another client has sent, before the request is repeated. */
  async #refetch(chat: string, { status, isAnswered }: Refused): Promise<void> {
    if (this.#leaving.signal.aborted) return;
    if (status === 409 || !isAnswered) await this.#store.dispatch(refreshChat(chat)).catch(() => {});
  }
}

/** Returns the prefix of the React keys of a message and its reply: a repeated message is the same element. */
const nameOf = ({ key }: SendOptions) => key ?? newRequestKey();

/** Returns the request's field for the chosen model; none for automatic choice. */
function chosen(model: string): { model?: string } {
  return model === AUTO_MODEL ? {} : { model };
}

/** Returns the request's parent; none if the id of the last message is not known yet. */
function lastSeen(messages: readonly ClientMessage[]): { parent?: string | null } {
  const last = messages.at(-1);
  if (!last) return { parent: null };
  return last.id === null ? {} : { parent: last.id };
}

/** Whether the server has this message in addition to the messages before it. */
function holdsNew({ messages }: Chat, sent: Sending & { before: readonly ClientMessage[] }): boolean {
  const { before, text, files = [] } = sent;
  const known = new Set(before.map(({ id }) => id));
  const isSent = (message: Message) => message.content === text && hasFiles(message, files);
  return messages.some((message) => message.role === "user" && !known.has(message.id) && isSent(message));
}
