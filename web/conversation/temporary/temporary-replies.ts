import type { ReplyRequest as ReplyWish } from "#contract/calls/conversation-calls.ts";
import { AUTO_MODEL } from "#contract/models.ts";
import { paths } from "#contract/paths.ts";
import type { Api } from "../../api/client.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import type { ChatsStore } from "../../chats/state/chats-store.ts";
import { wordCode } from "../../chats/state/word-failure.ts";
import temporary from "../../locales/en/temporary.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import { reading } from "../../reply/followed-reply.ts";
import { PendingRequests } from "../../reply/pending-requests.ts";
import type { ConversationReplies, SendOutcome } from "../../reply/replies.ts";
import { type ReadingEnd, ReplyProgress } from "../../reply/reply-progress.ts";
import { readReply } from "../../reply/reply-stream.ts";
import { WordPainter } from "../../reply/word-painter.ts";
import { messagesToSend } from "./messages-to-send.ts";

registerTexts("temporary", temporary);

/**
 * Asks for replies of which the server keeps nothing: each time with all that was said before. A reply lives as long as
 * its one connection, so there is nothing to join, to resume or to continue.
 */
export class TemporaryReplies implements ConversationReplies {
  readonly #store: ChatsStore;
  readonly #pending: PendingRequests;
  readonly #leaving = new AbortController();
  /** Ends the reply that is being read in a chat, and with it the server's writing. */
  readonly #reading = new Map<string, AbortController>();

  constructor(store: ChatsStore, api: Api) {
    this.#store = store;
    this.#pending = new PendingRequests(store, api, this.#leaving.signal);
  }

  async send(chat: string | null, text: string, model: string): Promise<SendOutcome> {
    const before = chat === null ? undefined : this.#idle(chat);
    if (chat === null || !before) return { isTaken: false, isAnswered: false, chat };
    const key = newRequestKey();
    this.#store.dispatch(chatEvents.sendMessageWithAiStream({ chat, key, text }));
    // A question that was not answered stays, as it was taken.
    const kept = this.#messages(chat).slice(0, -1);
    const refused = await this.#ask(chat, kept, model, key);
    if (!refused) return { isTaken: true, isAnswered: true, chat };
    if (refused.isCancelled) this.#store.dispatch(chatEvents.withdraw({ chat, messages: before }));
    else this.#store.dispatch(chatEvents.failStream({ chat, error: refused.text, isUnsent: true }));
    return { isTaken: false, isAnswered: refused.isAnswered, chat };
  }

  /** Another reply to the last question; the one that was there comes back where no word of the other does. */
  async answer(chat: string, _mode: ReplyWish["mode"], model: string): Promise<void> {
    const before = this.#idle(chat);
    if (!before || before.length === 0) return;
    const key = newRequestKey();
    this.#store.dispatch(chatEvents.requestReply({ chat, key, isContinued: false }));
    const refused = await this.#ask(chat, before, model, key);
    if (!refused) return;
    this.#store.dispatch(chatEvents.withdraw({ chat, messages: before }));
    if (!refused.isCancelled) this.#store.dispatch(chatEvents.setError({ chat, error: refused.text }));
  }

  join(): void {}

  async stop(chat: string): Promise<void> {
    const reply = this.#reading.get(chat);
    if (reply) reply.abort();
    else this.#pending.stop(chat);
  }

  cancel(chat: string | null): void {
    this.#pending.cancel(chat);
  }

  dispose(): void {
    this.#leaving.abort();
  }

  /** `kept`: the messages as they are again where no word comes. Resolves once it is clear whether a reply is written. */
  async #ask(chat: string, kept: readonly ClientMessage[], model: string, key: string) {
    const presetId = this.#store.getState().chats.conversations[chat]?.presetId;
    const chosen = { ...(model !== AUTO_MODEL && { model }), ...(presetId && { presetId }) };
    const body = { messages: messagesToSend(kept), ...chosen };
    const stop = new AbortController();
    const request = { path: paths.temporaryReply, body: JSON.stringify(body), key, signal: stop.signal };
    const answer = await this.#pending.post(chat, request);
    if (!(answer instanceof Response)) return answer;
    this.#reading.set(chat, stop);
    if (this.#pending.wasStopped(chat)) stop.abort();
    void this.#read(chat, answer, kept, stop.signal).finally(() => this.#reading.delete(chat));
    return null;
  }

  async #read(chat: string, response: Response, kept: readonly ClientMessage[], stop: AbortSignal): Promise<void> {
    const { dispatch } = this.#store;
    const painter = new WordPainter(0, (token) => dispatch(chatEvents.receiveStreamToken({ chat, token })));
    const progress = new ReplyProgress(
      { reply: null, text: "" },
      {
        start: (reply) => dispatch(chatEvents.receiveStreamStart({ chat, reply, at: Date.now() })),
        text: (text) => painter.push(text),
        seam: (seam) => dispatch(chatEvents.receiveStreamSeam({ chat, seam })),
        cut: (at) => dispatch(chatEvents.cutReply({ chat, at })),
      },
    );
    let end: ReadingEnd = { type: "lost" };
    try {
      end = await progress.read(readReply(response, reading));
    } catch {
      // The connection broke, or Stop has ended it.
    }
    painter.flush();
    if (this.#leaving.signal.aborted) return;
    const isWhole = end.type === "done" || stop.aborted;
    if (progress.received === 0) dispatch(chatEvents.withdraw({ chat, messages: kept }));
    else if (isWhole) dispatch(chatEvents.completeStream({ chat, isStopped: stop.aborted }));
    if (!isWhole) this.#tellFailure(chat, end);
  }

  #tellFailure(chat: string, end: ReadingEnd): void {
    const told = end.type === "failed" ? (wordCode(end.code) ?? end.error) : i18n.t("temporary:lost");
    const error = told ?? i18n.t("chat:failure.stream");
    const isWriting = this.#store.getState().chats.conversations[chat]?.isWriting;
    if (isWriting) this.#store.dispatch(chatEvents.failStream({ chat, error, isUnsent: false }));
    else this.#store.dispatch(chatEvents.setError({ chat, error }));
  }

  #messages(chat: string): readonly ClientMessage[] {
    return this.#store.getState().chats.conversations[chat]?.messages ?? [];
  }

  /** The messages of a chat in which nothing is being asked for or written, and that is not being kept just now. */
  #idle(chat: string): readonly ClientMessage[] | undefined {
    const { conversations, loading } = this.#store.getState().chats;
    const conversation = conversations[chat];
    return conversation && !conversation.isWriting && !loading.includes("create") ? conversation.messages : undefined;
  }
}
