import type { ReplyRequest as ReplyWish } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { AUTO_MODEL } from "#contract/models/models.ts";
import type { Api } from "../../api/client.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import type { ChatsStore } from "../../chats/state/chats-store.ts";
import { wordCode } from "../../chats/state/word-failure.ts";
import temporary from "../../locales/en/temporary.json";
import { i18n, registerTexts } from "../../locales/i18n.ts";
import { reading, retryOf } from "../../reply/followed-reply.ts";
import { isOfBudget, PendingRequests } from "../../reply/pending-requests.ts";
import type { ConversationReplies, SendOptions, SendOutcome } from "../../reply/replies.ts";
import { type ConnectionEnd, ReplyProgress } from "../../reply/reply-progress.ts";
import { readReply } from "../../reply/reply-stream.ts";
import { WordPainter } from "../../reply/word-painter.ts";
import { messagesToSend } from "./messages-to-send.ts";
import { requestBody } from "./request-body.ts";

registerTexts("temporary", temporary);

/** `tries`: how often the answer was repeated by itself. */
type Asking = { model: string; key: string; tries: number };
/** `askedMessages`: sent with the request, and restored if no text arrives. */
type Reading = { askedMessages: readonly ClientMessage[]; asking: Asking; stop: AbortSignal };

/**
 * Requests replies that the server does not store; each request has all earlier messages with their files. A reply lives as long as its
 * one connection, so it cannot be joined, resumed or continued.
 */
export class TemporaryReplies implements ConversationReplies {
  readonly #store: ChatsStore;
  readonly #pending: PendingRequests;
  readonly #leaving = new AbortController();
  /** Aborts the running reply of a chat, and with it its generation by the server. */
  readonly #reading = new Map<string, AbortController>();
  /** Chats whose request has files and is not answered yet. */
  readonly #sendingFiles = new Set<string>();

  constructor(store: ChatsStore, api: Api) {
    this.#store = store;
    this.#pending = new PendingRequests(store, api, this.#leaving.signal);
  }

  async send(
    chat: string | null,
    text: string,
    model: string,
    { files = [], key = newRequestKey(), onRefused, prepareRefused }: SendOptions = {},
  ): Promise<SendOutcome> {
    const before = chat === null ? undefined : this.#idle(chat);
    if (chat === null || !before) return { isTaken: false, isAnswered: false, chat };
    this.#store.dispatch(chatEvents.sendMessageWithAiStream({ chat, key, text, files }));
    // An accepted question without an answer stays.
    const askedMessages = this.#messages(chat).slice(0, -1);
    const refused = await this.#ask(chat, askedMessages, { model, key: newRequestKey(), tries: 0 });
    if (!refused) return { isTaken: true, isAnswered: true, chat };
    const { isAnswered, code, file, text: error, retryAfterMs } = refused;
    const outcome = { isTaken: false, isAnswered, chat, retryAfterMs, ...(code && { code }), ...(file && { file }) };
    if (refused.isCancelled) this.#store.dispatch(chatEvents.withdraw({ chat, messages: before }));
    else {
      await prepareRefused?.();
      onRefused?.(outcome);
      this.#store.dispatch(chatEvents.failStream({ chat, error, isUnsent: true, isOfBudget: isOfBudget(refused) }));
    }
    return outcome;
  }

  /** Requests another reply to the last question; the former reply is restored if the new one has no text. */
  async answer(chat: string, _mode: ReplyWish["mode"], model: string, _of?: string, tries = 0): Promise<void> {
    const before = this.#idle(chat);
    if (!before || before.length === 0) return;
    const key = newRequestKey();
    this.#store.dispatch(chatEvents.requestReply({ chat, key, isContinued: false }));
    const refused = await this.#ask(chat, before, { model, key, tries });
    if (!refused) return;
    this.#store.dispatch(chatEvents.withdraw({ chat, messages: before }));
    if (!refused.isCancelled) this.#store.dispatch(chatEvents.setError({ chat, error: refused.text }));
  }

  join(): void {}

  async stop(chat: string): Promise<void> {
    const reply = this.#reading.get(chat);
    if (reply) reply.abort();
    // Its bytes may take long to be sent, and the server stores nothing.
    else if (this.#sendingFiles.has(chat)) this.#pending.cancel(chat);
    else this.#pending.stop(chat);
  }

  cancel(chat: string | null): void {
    this.#pending.cancel(chat);
  }

  dispose(): void {
    this.#leaving.abort();
  }

  /** `askedMessages`: sent with the request, and restored if no text arrives. Resolves once it is known whether a reply is running. */
  async #ask(chat: string, askedMessages: readonly ClientMessage[], asking: Asking) {
    const { model, key } = asking;
    const { presetId, effort, tools } = this.#store.getState().chats.conversations[chat] ?? {};
    const chosen = {
      ...(model !== AUTO_MODEL && { model }),
      ...(presetId && { presetId }),
      ...(effort && { effort }),
      ...(tools && { tools }),
    };
    const body = requestBody({ messages: messagesToSend(askedMessages), ...chosen });
    if (body instanceof Blob) this.#sendingFiles.add(chat);
    const stop = new AbortController();
    const request = { path: conversationPaths.temporaryReply, body, key, signal: stop.signal };
    const answer = await this.#pending.post(chat, request);
    this.#sendingFiles.delete(chat);
    if (!(answer instanceof Response)) return answer;
    this.#reading.set(chat, stop);
    if (this.#pending.wasStopped(chat)) stop.abort();
    const reading = this.#read(chat, answer, { askedMessages, asking, stop: stop.signal });
    void reading.finally(() => this.#reading.delete(chat));
    return null;
  }

  async #read(chat: string, response: Response, { askedMessages, asking, stop }: Reading): Promise<void> {
    const { dispatch } = this.#store;
    const painter = new WordPainter(0, (token) => dispatch(chatEvents.receiveStreamToken({ chat, token })));
    const progress = new ReplyProgress(
      { reply: null, text: "" },
      {
        start: (reply) => dispatch(chatEvents.receiveStreamStart({ chat, reply, at: Date.now() })),
        text: (text) => painter.push(text),
        writer: (model) => dispatch(chatEvents.receiveWriter({ chat, model })),
        part: (part, rev) => dispatch(chatEvents.receivePart({ chat, part, rev })),
        discardParts: () => dispatch(chatEvents.discardParts({ chat })),
        seam: (seam) => dispatch(chatEvents.receiveStreamSeam({ chat, seam })),
        cut: (at) => {
          painter.flush();
          dispatch(chatEvents.cutReply({ chat, at }));
        },
      },
    );
    let end: ConnectionEnd = { type: "lost" };
    try {
      end = await progress.read(readReply(response, reading));
    } catch {
      // The connection was lost, or Stop has ended it.
    }
    // A Stop after the end paints the rest of a complete reply.
    const isStopped = stop.aborted;
    if (end.type !== "lost") await this.#drain(painter, stop);
    painter.flush();
    progress.end();
    if (this.#leaving.signal.aborted) return;
    const isWhole = end.type === "done" || isStopped;
    if (progress.received === 0) dispatch(chatEvents.withdraw({ chat, messages: askedMessages }));
    else if (isWhole) dispatch(chatEvents.completeStream({ chat, isStopped }));
    if (!isWhole) this.#reportFailure(chat, end, asking);
  }

  /** Paints the rest of an ended reply in several tasks, and at once after a Stop or the end of the session. */
  async #drain(painter: WordPainter, stop: AbortSignal): Promise<void> {
    const hurry = AbortSignal.any([stop, this.#leaving.signal]);
    if (hurry.aborted) return;
    hurry.addEventListener("abort", () => painter.flush(), { once: true });
    await painter.drain();
  }

  #reportFailure(chat: string, end: ConnectionEnd, asking: Asking): void {
    const sentence = end.type === "failed" ? (wordCode(end.code) ?? end.error) : i18n.t("temporary:lost");
    const error = sentence ?? i18n.t("chat:failure.stream");
    this.#store.dispatch(chatEvents.failStream({ chat, error, isUnsent: false, retry: retryOf(end, asking) }));
  }

  #messages(chat: string): readonly ClientMessage[] {
    return this.#store.getState().chats.conversations[chat]?.messages ?? [];
  }

  /** Returns the messages of a chat without a requested or running reply that is not being saved. */
  #idle(chat: string): readonly ClientMessage[] | undefined {
    const { conversations, loading } = this.#store.getState().chats;
    const conversation = conversations[chat];
    return conversation && !conversation.isWriting && !loading.includes("create") ? conversation.messages : undefined;
  }
}
