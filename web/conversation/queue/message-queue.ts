import { type Locks, tabTools } from "../../api/events/tab-tools.ts";
import { keepTrying } from "../../api/keep-trying.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { Conversation, NewBranch } from "../../chats/state/chats-state.ts";
import type { SendOutcome } from "../../reply/replies.ts";
import { onStorageChange, storedKeys } from "../../storage/browser-storage.ts";
import { Emitter } from "../../store/emitter.ts";
import { Draft } from "../draft.ts";
import { SendKeys } from "../idempotency-keys.ts";
import { draftPrefix, type Ticket } from "../stored-drafts.ts";
import { AnswerRetries } from "./answer-retries.ts";
import { QueueContents } from "./queue-contents.ts";
import { isStored, lastReply, QueueRecords } from "./queue-records.ts";
import { QueueSender, type QueueSession } from "./queue-sender.ts";
import { NOT_LOADED, stateOf, WRITTEN } from "./queue-state.ts";
import type { QueueView } from "./queue-view.ts";
import {
  chatOfQueued,
  idempotencyKeyOf,
  isQueued,
  isRefusedKey,
  orderOf,
  queuedDraftKey,
  refusedDraftKey,
} from "./queued-draft-keys.ts";
import { readIntoStore } from "./read-into-store.ts";
import { RefusedRetries } from "./refused-retries.ts";
import { ShownQueue } from "./shown-queue.ts";

/**
 * Messages that were submitted while an answer was being written. Each is a draft with a key of its own, with its
 * idempotency key and model: it survives the page, is moved or removed with the other drafts of its chat, and a repeated
 * send stores it once. A message follows one answer. When that answer is complete, one tab sends the message by itself
 * (a Web Lock for each chat), and the messages behind it follow the new answer. A message stays in the queue if its
 * answer fails, is stopped or truncated, or is no longer the last message of the shown branch, or if a file fails.
 *
 * Messages that the server has refused are in the queue too, whether they were queued or not. They are shown in the
 * chat. The user sends them, except after too many requests: then they are repeated when the server allows it.
 */
export class MessageQueue {
  readonly #session: QueueSession;
  readonly #records: QueueRecords;
  readonly #contents: QueueContents;
  /** The state of each chat that was last handled. */
  readonly #seen = new Map<string, string>();
  readonly #sender: QueueSender;
  readonly #shown: ShownQueue;
  /** Repeats refused messages. */
  readonly retries = new RefusedRetries(
    (draftKey, tries) => void this.#sender.sendNext(chatOfQueued(draftKey), { draftKey, tries }),
    () => this.#changes.notify(),
  );
  readonly answerRetries: AnswerRetries;
  readonly #changes = new Emitter();
  readonly #leaving = new AbortController();
  #count = 0;

  constructor(session: QueueSession, locks: Locks | null = tabTools()?.locks ?? null) {
    this.#session = session;
    this.answerRetries = new AnswerRetries(session);
    const { account, store, drafts, storedSession } = session;
    this.#records = new QueueRecords(storedSession ? null : new SendKeys(account));
    this.#contents = new QueueContents(drafts);
    this.#sender = new QueueSender({
      session,
      locks: storedSession ? null : locks,
      records: this.#records,
      contents: this.#contents,
      signal: this.#leaving.signal,
      next: (chat) => this.#next(chat),
      forget: (draftKey) => this.#forget(draftKey),
      endRetries: (draftKey) => this.retries.cancel(draftKey),
      cancel: (draftKey) => this.cancel(draftKey),
      takeRefused: (ticket, outcome, tries) => this.takeRefused(ticket, outcome, tries),
      onChange: () => this.#refresh(),
    });
    this.#shown = new ShownQueue({
      drafts,
      records: this.#records,
      contents: this.#contents,
      conversationOf: (chat) => this.#conversation(chat),
      isSending: (chat) => this.#sender.isSending(chat),
    });
    for (const draftKey of storedSession ? [] : storedKeys(draftPrefix(account))) this.#contents.add(draftKey);
    const ends = [
      store.subscribe(() => this.#onStoreChange()),
      drafts.subscribe(() => this.#refresh()),
      this.retries.dispose,
    ];
    if (!storedSession) ends.push(onStorageChange(this.#follow));
    this.#leaving.signal.addEventListener("abort", () => {
      for (const end of ends) end();
    });
    this.#onStoreChange();
    for (const chat of this.#contents.chats()) void this.#read(chat);
  }

  subscribe = this.#changes.subscribe;

  /** Returns the same object until it changes. */
  get(chat: string | null): QueueView {
    return this.#shown.get(chat);
  }

  /** Returns a conversation with its refused messages: the same object until something changes. */
  withRefused(conversation: Conversation): Conversation {
    return this.#shown.withRefused(conversation);
  }

  /** Number of messages that this page has queued. */
  count = (): number => this.#count;

  /** Moves the draft of a chat's box to the queue. Returns false if the chat accepts a message now, or is not loaded. */
  enqueue(chat: string): boolean {
    const { drafts, modelChoice } = this.#session;
    const conversation = this.#conversation(chat);
    const draft = drafts.get(chat);
    if (!conversation || draft.isEmpty || !(conversation.isWriting || this.#sender.isSending(chat))) return false;
    const key = newRequestKey();
    const draftKey = queuedDraftKey(chat, this.#contents.nextOrder(), key);
    const model = modelChoice.current().value;
    const last = lastReply(conversation);
    this.#records.add(draftKey, { draft, model, key }, { reply: last?.key, after: last?.id ?? undefined });
    this.#contents.add(draftKey);
    this.#move(chat, draftKey, draft);
    this.#count += 1;
    this.#refresh();
    this.#changes.notify();
    return true;
  }

  /**
   * Takes a message that the server has refused, unless one of its files is the reason: that is shown in the box.
   * `tries`: how often the message was repeated by itself.
   */
  takeRefused(ticket: Ticket, outcome: SendOutcome, tries = 0): void {
    const { chat, isTaken, isAnswered, retryAfterMs, code, file } = outcome;
    if (chat === null || file !== undefined || code === "file-gone") return;
    const { draft, model } = ticket;
    // Two tabs that have repeated one message, and were both refused, find one key.
    const order = isRefusedKey(ticket.draftKey) ? orderOf(ticket.draftKey) : this.#contents.nextOrder();
    const draftKey = refusedDraftKey(chat, order, ticket.key);
    const after = this.#conversation(chat)?.messages.findLast(({ id }) => id !== null)?.id ?? "";
    const key = isAnswered ? newRequestKey() : ticket.key;
    this.#contents.add(draftKey);
    this.#records.add(draftKey, { draft, model, key }, { after });
    this.retries.begin(draftKey, retryAfterMs, tries);
    const { drafts } = this.#session;
    const isThere = draftKey !== ticket.draftKey && drafts.get(draftKey).isSame(draft);
    drafts.settle(ticket, { isTaken: isTaken || isThere, isAnswered }, draftKey);
    if (ticket.draftKey !== draftKey) this.#forget(ticket.draftKey);
  }

  /** Moves a message back to the box, above the text that is there. */
  cancel(draftKey: string): void {
    const { drafts } = this.#session;
    const chat = chatOfQueued(draftKey);
    this.retries.cancel(draftKey);
    // The server may have stored a message that it has not answered: unchanged, it keeps its key.
    if (isRefusedKey(draftKey) && drafts.get(chat).isUntouched) this.#records.move(draftKey, chat);
    this.#move(draftKey, chat, drafts.get(draftKey).join(drafts.get(chat)));
    this.#forget(draftKey);
  }

  /** Sends a message that was held or refused; the messages behind it follow its answer. */
  sendNow(draftKey: string): void {
    void this.#sender.sendNext(chatOfQueued(draftKey), { draftKey });
  }

  /** Sends the refused message of a branch as its beginning. Returns false if it is not in the queue any more. */
  sendAsBranch(chat: string, { key, before }: NewBranch): boolean {
    const draftKey = this.#contents.filled(chat).find((each) => isRefusedKey(each) && idempotencyKeyOf(each) === key);
    if (draftKey !== undefined) void this.#sender.sendNext(chat, { draftKey, before });
    return draftKey !== undefined;
  }

  dispose(): void {
    this.#leaving.abort();
  }

  /** The text is stored at every moment, unless the storage is full: then it fits once the source is empty. */
  #move(from: string, to: string, draft: Draft): void {
    const { drafts } = this.#session;
    drafts.set(to, draft);
    drafts.set(from, Draft.empty);
    drafts.set(to, draft);
  }

  #forget(draftKey: string): void {
    this.#contents.forget(draftKey);
    this.#records.forget(draftKey);
  }

  readonly #follow = ({ key, newValue }: StorageEvent): void => {
    const prefix = draftPrefix(this.#session.account);
    if (key === null || !isQueued(key)) return;
    if (key.startsWith(prefix)) {
      const draftKey = key.slice(prefix.length);
      if (newValue !== null) this.#contents.add(draftKey);
      else if (!this.#sender.cancelSend(draftKey)) this.#forget(draftKey);
    }
    this.#refresh();
  };

  #conversation(chat: string): Conversation | undefined {
    return this.#session.store.getState().chats.conversations[chat];
  }

  /** Handles changes of the chats that have queued messages. */
  #onStoreChange(): void {
    for (const chat of this.#contents.chats()) {
      const state = stateOf(this.#session.store.getState().chats, chat);
      const before = this.#seen.get(chat);
      if (state === before) continue;
      this.#seen.set(chat, state);
      const isGone = state === NOT_LOADED && before !== undefined && before !== WRITTEN;
      if (isGone) this.#lose(chat);
      else if (this.#contents.filled(chat).length > 0) this.#handle(chat, before);
    }
  }

  #handle(chat: string, before: string | undefined): void {
    const conversation = this.#conversation(chat);
    if (!conversation) {
      // Another tab or device may have followed the answer: if that has ended, this tab may be the only one left.
      if (before === WRITTEN) void this.#read(chat);
      return;
    }
    const reply = lastReply(conversation);
    for (const draftKey of this.#contents.filled(chat)) {
      const { reply: key, after } = this.#records.attachmentOf(draftKey);
      if (isStored(conversation, after, this.#session.drafts.get(draftKey))) this.#dropStored(draftKey);
      else if (reply?.id && key === reply.key && after === undefined)
        this.#records.attach(draftKey, { reply: key, after: reply.id });
    }
    if (this.#next(chat) !== undefined) void this.#sender.sendNext(chat);
    this.#refresh();
  }

  /** Removes a message that the server has, with the offer to send it as a branch: another tab has sent it. */
  #dropStored(draftKey: string): void {
    const { store, drafts } = this.#session;
    drafts.set(draftKey, Draft.empty);
    this.#forget(draftKey);
    if (store.getState().chats.error?.branch?.key === idempotencyKeyOf(draftKey))
      store.dispatch(chatEvents.clearError());
  }

  /** A chat was deleted. Its messages are held if the deletion is undone; the temporary chat is never restored. */
  #lose(chat: string): void {
    if (this.#session.storedSession)
      for (const draftKey of this.#contents.filled(chat).reverse()) this.cancel(draftKey);
    else for (const draftKey of this.#contents.of(chat)) this.#records.attach(draftKey, {});
  }

  /** Returns the draft key of the message that can be sent by itself now. */
  #next(chat: string): string | undefined {
    const conversation = this.#conversation(chat);
    const reply = conversation && lastReply(conversation);
    if (conversation?.isWriting || reply?.state !== "complete" || reply.isTruncated) return undefined;
    return this.#contents.waiting(chat).find((draftKey) => this.#records.isAttached(draftKey, reply));
  }

  /** Reads a chat that is not open, and follows its answer. */
  async #read(chat: string): Promise<void> {
    const { store, replies } = this.#session;
    const { opening, currentChat } = store.getState().chats;
    const waiting = this.#contents.waiting(chat);
    const isFollowing = waiting.some((draftKey) => this.#records.attachmentOf(draftKey).after !== undefined);
    if (!isFollowing || this.#conversation(chat) || [opening, currentChat].includes(chat)) return;
    const { signal } = this.#leaving;
    // A failure: the messages stay in the queue until the chat is opened.
    await keepTrying(() => store.dispatch(readIntoStore(chat)), { signal }).catch(() => {});
    if (!signal.aborted) replies.join(chat);
  }

  #refresh(): void {
    if (this.#shown.refresh(this.#contents.chats())) this.#changes.notify();
  }
}
