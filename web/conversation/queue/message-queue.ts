import { keepTrying } from "../../api/keep-trying.ts";
import { newRequestKey } from "../../api/request-key.ts";
import { type Locks, tabTools } from "../../api/tab-tools.ts";
import type { Conversation } from "../../chats/state/chats-state.ts";
import { refreshChat } from "../../chats/state/chats-thunks.ts";
import { hasFiles } from "../../chats/state/file-parts.ts";
import type { SendOutcome } from "../../reply/replies.ts";
import { onStorageChange, storedKeys } from "../../storage/browser-storage.ts";
import { Emitter } from "../../store/emitter.ts";
import { settleFiles, showFiles, uploadFiles } from "../attachments/sent-files.ts";
import type { ChatSession } from "../chat-session.ts";
import { Draft } from "../draft.ts";
import { SendKeys } from "../idempotency-keys.ts";
import { quietQuestions } from "../message/quiet-questions.ts";
import { draftPrefix, type Ticket } from "../stored-drafts.ts";
import { chatOfQueued, isQueued, queuePlace } from "./queue-place.ts";
import { lastReply, QueueRecords } from "./queue-records.ts";
import { EMPTY_VIEW, type QueuedMessage, type QueueView } from "./queue-view.ts";
import { readIntoStore } from "./read-into-store.ts";

type Parts = Pick<
  ChatSession,
  "account" | "store" | "replies" | "drafts" | "modelChoice" | "kept" | "filesRefusal" | "atEnd"
>;

/**
 * Messages that were submitted while an answer was being written. Each is a draft at a location of its own, with its
 * idempotency key and model: it survives the page, is moved or removed with the other drafts of its chat, and a repeated
 * send stores it once. A message follows one answer. When that answer is complete, one tab sends the message by itself
 * (a Web Lock for each chat), and the messages behind it follow the new answer. A message stays in the queue if its
 * answer fails, is stopped or truncated, or is no longer the last message of the shown branch, or if a file fails.
 */
export class MessageQueue {
  readonly #parts: Parts;
  readonly #locks: Locks | null;
  readonly #records: QueueRecords;
  /** Known locations by chat, in the order of queueing; a location without text is not in the queue any more. */
  readonly #places = new Map<string, string[]>();
  /** Chats whose next message is about to be sent, or was sent and is not accepted yet. */
  readonly #sending = new Set<string>();
  /** Location of the message that each chat is sending. */
  readonly #leavingFrom = new Map<string, string>();
  /** Locations of messages that another tab has cancelled while this tab was sending them. */
  readonly #cancelled = new Set<string>();
  /** The state of each chat that was last handled. */
  readonly #seen = new Map<string, string>();
  readonly #views = new Map<string, QueueView>();
  readonly #changes = new Emitter();
  readonly #leaving = new AbortController();
  #count = 0;
  #order = 0;

  constructor(parts: Parts, locks: Locks | null = tabTools()?.locks ?? null) {
    this.#parts = parts;
    const { account, store, drafts, kept } = parts;
    this.#locks = kept ? null : locks;
    this.#records = new QueueRecords(kept ? null : new SendKeys(account));
    for (const place of kept ? [] : storedKeys(draftPrefix(account))) this.#add(place);
    const ends = [store.subscribe(() => this.#look()), drafts.subscribe(() => this.#refresh())];
    if (!kept) ends.push(onStorageChange(this.#follow));
    this.#leaving.signal.addEventListener("abort", () => {
      for (const end of ends) end();
    });
    this.#look();
    for (const chat of this.#places.keys()) void this.#read(chat);
  }

  subscribe = this.#changes.subscribe;

  /** Returns the same object until it changes. */
  get(chat: string | null): QueueView {
    return (chat !== null && this.#views.get(chat)) || EMPTY_VIEW;
  }

  /** Number of messages that this page has queued. */
  count = (): number => this.#count;

  /** Moves the draft of a chat's box to the queue. Returns false if the chat accepts a message now, or is not loaded. */
  enqueue(chat: string): boolean {
    const { drafts, modelChoice } = this.#parts;
    const conversation = this.#conversation(chat);
    const draft = drafts.get(chat);
    if (!conversation || draft.isEmpty || !(conversation.isWriting || this.#sending.has(chat))) return false;
    this.#order = Math.max(Date.now(), this.#order + 1);
    const key = newRequestKey();
    const place = queuePlace(chat, this.#order, key);
    const model = modelChoice.current().value;
    const last = lastReply(conversation);
    this.#records.add(place, { draft, model, key }, { reply: last?.key, after: last?.id ?? undefined });
    this.#add(place);
    this.#move(chat, place, draft);
    this.#count += 1;
    this.#refresh();
    this.#changes.notify();
    return true;
  }

  /** Moves a message back to the box, above the text that is there. */
  cancel(place: string): void {
    const { drafts } = this.#parts;
    const chat = chatOfQueued(place);
    this.#move(place, chat, drafts.get(place).join(drafts.get(chat)));
  }

  /** Sends a message that was held; the messages behind it follow its answer. */
  sendNow(place: string): void {
    void this.#sendNext(chatOfQueued(place), place);
  }

  dispose(): void {
    this.#leaving.abort();
  }

  /** The text is stored at every moment, unless the storage is full: then it fits once the source is empty. */
  #move(from: string, to: string, draft: Draft): void {
    const { drafts } = this.#parts;
    drafts.set(to, draft);
    drafts.set(from, Draft.empty);
    drafts.set(to, draft);
  }

  #add(place: string): void {
    if (!isQueued(place)) return;
    const chat = chatOfQueued(place);
    const places = this.#places.get(chat) ?? [];
    if (!places.includes(place)) this.#places.set(chat, [...places, place].sort());
  }

  readonly #follow = ({ key, newValue }: StorageEvent): void => {
    const prefix = draftPrefix(this.#parts.account);
    if (key === null || !isQueued(key)) return;
    if (key.startsWith(prefix)) {
      const place = key.slice(prefix.length);
      this.#add(place);
      if (newValue === null) this.#cancelSend(place);
    }
    this.#refresh();
  };

  /** Another tab has moved the message to its box. */
  #cancelSend(place: string): void {
    const chat = chatOfQueued(place);
    if (this.#leavingFrom.get(chat) !== place) return;
    this.#cancelled.add(place);
    this.#parts.replies.cancel(chat);
  }

  #conversation(chat: string): Conversation | undefined {
    return this.#parts.store.getState().chats.conversations[chat];
  }

  #inOrder(chat: string): string[] {
    const { drafts } = this.#parts;
    return (this.#places.get(chat) ?? []).filter((place) => !drafts.get(place).isEmpty);
  }

  /** Handles changes of the chats that have queued messages. */
  #look(): void {
    for (const chat of this.#places.keys()) {
      const state = this.#stateOf(chat);
      const before = this.#seen.get(chat);
      if (state === before) continue;
      this.#seen.set(chat, state);
      const isGone = state === UNKNOWN && before !== undefined && before !== WRITTEN;
      if (isGone) this.#lose(chat);
      else if (this.#inOrder(chat).length > 0) this.#handle(chat, before);
    }
  }

  /** Returns all that the queue of a chat depends on. */
  #stateOf(chat: string): string {
    const conversation = this.#conversation(chat);
    if (!conversation) {
      const item = this.#parts.store.getState().chats.chats.find(({ id }) => id === chat);
      return item?.isWriting ? WRITTEN : UNKNOWN;
    }
    const { key, id, state, resumes } = conversation.messages.at(-1) ?? {};
    return JSON.stringify([conversation.isWriting, conversation.messages.length, key, id, state, resumes]);
  }

  #handle(chat: string, before: string | undefined): void {
    const conversation = this.#conversation(chat);
    if (!conversation) {
      // Another tab or device may have followed the answer: if that has ended, this tab may be the only one left.
      if (before === WRITTEN) void this.#read(chat);
      return;
    }
    const reply = lastReply(conversation);
    for (const place of this.#inOrder(chat)) {
      const { reply: key, after } = this.#records.attachmentOf(place);
      if (this.#isStored(conversation, place, after)) this.#parts.drafts.set(place, Draft.empty);
      else if (reply?.id && key === reply.key && after === undefined)
        this.#records.attach(place, { reply: key, after: reply.id });
    }
    if (this.#next(chat) !== undefined) void this.#sendNext(chat);
    this.#refresh();
  }

  /** A chat was deleted. Its messages are held if the deletion is undone; the temporary chat is never restored. */
  #lose(chat: string): void {
    if (this.#parts.kept) for (const place of this.#inOrder(chat).reverse()) this.cancel(place);
    else for (const place of this.#places.get(chat) ?? []) this.#records.attach(place, {});
  }

  /** Whether the server has accepted the message for an earlier page, which has not received the response. */
  #isStored({ messages }: Conversation, place: string, after: string | undefined): boolean {
    if (after === undefined) return false;
    const question = messages[messages.findIndex(({ id }) => id === after) + 1];
    if (question?.role !== "user" || question.id === null) return false;
    const { text, files } = this.#parts.drafts.get(place);
    return question.content === text && hasFiles(question, files);
  }

  /** Returns the location of the message that can be sent by itself now. */
  #next(chat: string): string | undefined {
    const conversation = this.#conversation(chat);
    const reply = conversation && lastReply(conversation);
    if (conversation?.isWriting || reply?.state !== "complete" || reply.isTruncated) return undefined;
    return this.#inOrder(chat).find((place) => this.#records.isAttached(place, reply));
  }

  /** Reads a chat that is not open, and follows its answer. */
  async #read(chat: string): Promise<void> {
    const { store, replies } = this.#parts;
    const { opening, currentChat } = store.getState().chats;
    const isFollowing = this.#inOrder(chat).some((place) => this.#records.attachmentOf(place).after !== undefined);
    if (!isFollowing || this.#conversation(chat) || [opening, currentChat].includes(chat)) return;
    const { signal } = this.#leaving;
    // A failure: the messages stay in the queue until the chat is opened.
    await keepTrying(() => store.dispatch(readIntoStore(chat)), { signal }).catch(() => {});
    if (!signal.aborted) replies.join(chat);
  }

  /** Sends the next message, or the one that was `chosen`. */
  async #sendNext(chat: string, chosen?: string): Promise<void> {
    if (this.#sending.has(chat)) return;
    this.#sending.add(chat);
    this.#refresh();
    const { store, kept, drafts } = this.#parts;
    const { signal } = this.#leaving;
    /** A message was sent, or another one has become the first. */
    let goesOn = false;
    try {
      await this.#alone(chat, async () => {
        const first = chosen ?? this.#next(chat);
        if (first !== undefined && !(await uploadFiles(this.#parts, first, signal))) return;
        // Only the server knows whether another tab or device has stopped the answer, or continued the chat.
        if (!kept && chosen === undefined) await keepTrying(() => store.dispatch(refreshChat(chat)), { signal });
        const place = chosen ?? this.#next(chat);
        if (place === undefined || this.#conversation(chat)?.isWriting !== false || drafts.get(place).isEmpty) return;
        goesOn = place !== first || (await this.#send(chat, place, chosen === undefined));
      });
    } catch {
      // The session has ended, the chat is gone, or the server does not answer: the message stays in the queue.
    }
    this.#sending.delete(chat);
    this.#refresh();
    // The answer may have ended before its request was settled here.
    if (goesOn && this.#next(chat) !== undefined) void this.#sendNext(chat);
  }

  /** Runs `send` in one tab of the browser at a time. Without locks the idempotency key alone prevents duplicates. */
  async #alone(chat: string, send: () => Promise<void>): Promise<void> {
    const { signal } = this.#leaving;
    const name = `parley-queue:${this.#parts.account}:${chat}`;
    await (this.#locks ? this.#locks.request(name, { signal }, send) : send());
  }

  /** @returns whether the server has accepted the message */
  async #send(chat: string, place: string, isQuiet: boolean): Promise<boolean> {
    const { drafts, replies, modelChoice } = this.#parts;
    const places = this.#inOrder(chat);
    const behind = places.slice(places.indexOf(place) + 1);
    const model = this.#records.modelOf(place) ?? modelChoice.current().value;
    this.#records.attach(place, { after: this.#conversation(chat)?.messages.at(-1)?.id ?? undefined });
    const ticket = drafts.take(place, model);
    const { draft, key } = ticket;
    showFiles(this.#parts, ticket);
    const sent = replies.send(chat, draft.text, ticket.model, { key, files: draft.files });
    const [question, reply] = this.#conversation(chat)?.messages.slice(-2) ?? [];
    if (isQuiet && question) quietQuestions.add(question.key);
    for (const follower of behind) this.#records.attach(follower, { reply: reply?.key });
    this.#leavingFrom.set(chat, place);
    const outcome = await sent;
    settleFiles(this.#parts, ticket, outcome);
    this.#leavingFrom.delete(chat);
    if (question) quietQuestions.delete(question.key);
    this.#settle(ticket, outcome, chat);
    return outcome.isTaken;
  }

  /**
   * Refused text returns to the box as any message does, but not into text that the user is writing. Without an answer,
   * the server may have stored the message: the next send of the text has the same key.
   */
  #settle(ticket: Ticket, outcome: SendOutcome, chat: string): void {
    const { drafts } = this.#parts;
    const { place, draft, model } = ticket;
    if (this.#cancelled.delete(place)) {
      drafts.settle(ticket, { isTaken: true, isAnswered: true }, place);
      return;
    }
    const isFree = outcome.chat !== chat || drafts.get(chat).isEmpty;
    const backTo = isFree ? outcome.chat : place;
    const after = this.#records.attachmentOf(place).after;
    drafts.settle(ticket, outcome, backTo);
    if (outcome.isTaken) return;
    if (!outcome.isAnswered) this.#records.store(backTo ?? place, { ...ticket, after: isFree ? undefined : after });
    else if (backTo === place) this.#records.store(place, { draft, model, key: newRequestKey() });
  }

  #refresh(): void {
    let hasChanged = false;
    for (const chat of this.#places.keys()) {
      const view = this.#viewOf(chat);
      if (JSON.stringify(view) === JSON.stringify(this.get(chat))) continue;
      this.#views.set(chat, view);
      hasChanged = true;
    }
    if (hasChanged) this.#changes.notify();
  }

  #viewOf(chat: string): QueueView {
    const conversation = this.#conversation(chat);
    if (!conversation) return EMPTY_VIEW;
    const reply = lastReply(conversation);
    const isBusy = conversation.isWriting || this.#sending.has(chat);
    const isGoingOn = isBusy || reply?.state === "writing" || reply?.resumes === true;
    let nth = 0;
    const messages = this.#inOrder(chat).map((place): QueuedMessage => {
      const { text, files } = this.#parts.drafts.get(place);
      const message = { place, text, files: files.map(({ name }) => name) };
      if (!isGoingOn || !this.#records.isAttached(place, reply)) return { ...message, status: "held" };
      nth += 1;
      return { ...message, status: nth === 1 ? "next" : "later" };
    });
    return { messages, canSend: !isGoingOn };
  }
}

const UNKNOWN = "unknown";
const WRITTEN = "written elsewhere";
