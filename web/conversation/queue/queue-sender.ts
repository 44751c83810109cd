import type { Locks } from "../../api/events/tab-tools.ts";
import { keepTrying } from "../../api/keep-trying.ts";
import { newRequestKey } from "../../api/request-key.ts";
import type { ClientMessage, Conversation } from "../../chats/state/chats-state.ts";
import { refreshChat } from "../../chats/state/chats-thunks.ts";
import type { SendOutcome } from "../../reply/replies.ts";
import { readStorage } from "../../storage/browser-storage.ts";
import { settleFiles, showFiles, uploadFiles } from "../attachments/sent-files.ts";
import type { ChatSession } from "../chat-session.ts";
import { draftPrefix, type Ticket } from "../stored-drafts.ts";
import type { QueueContents } from "./queue-contents.ts";
import type { QueueRecords } from "./queue-records.ts";
import { chatOfQueued, isRefusedKey } from "./queued-draft-keys.ts";
import { quietQuestions } from "./quiet-questions.ts";

export type QueueSession = Pick<
  ChatSession,
  "account" | "store" | "replies" | "branches" | "drafts" | "modelChoice" | "storedSession" | "get" | "atEnd"
>;

/**
 * A message that is sent out of its turn. `before`: the messages before the branch that it begins; `tries`: how often it
 * was repeated by itself.
 */
type Chosen = { draftKey: string; before?: readonly ClientMessage[]; tries?: number };

/** `onChange`: called when a chat begins or ends to send. */
export type QueueSenderDeps = {
  session: QueueSession;
  locks: Locks | null;
  records: QueueRecords;
  contents: QueueContents;
  signal: AbortSignal;
  /** Returns the draft key of the message that can be sent by itself now. */
  next: (chat: string) => string | undefined;
  /** A message has left the queue for good. */
  forget: (draftKey: string) => void;
  /** Ends the repetition of a refused message. */
  endRetries: (draftKey: string) => void;
  /** Moves a message back to the box. */
  cancel: (draftKey: string) => void;
  takeRefused: (ticket: Ticket, outcome: SendOutcome, tries: number | undefined) => void;
  onChange: () => void;
};

/** Sends queued and refused messages: one at a time in each chat, by one tab of the browser. */
export class QueueSender {
  readonly #deps: QueueSenderDeps;
  /** Chats whose next message is about to be sent, or was sent and is not accepted yet. */
  readonly #sending = new Set<string>();
  /** Draft key of the message that each chat is sending. */
  readonly #leavingFrom = new Map<string, string>();
  /** Draft keys of messages that another tab has cancelled while this tab was sending them. */
  readonly #cancelled = new Set<string>();

  constructor(deps: QueueSenderDeps) {
    this.#deps = deps;
  }

  isSending(chat: string): boolean {
    return this.#sending.has(chat);
  }

  /** Another tab has moved the message to its box. Returns false if this tab is not sending it. */
  cancelSend(draftKey: string): boolean {
    const chat = chatOfQueued(draftKey);
    if (this.#leavingFrom.get(chat) !== draftKey) return false;
    this.#cancelled.add(draftKey);
    this.#deps.session.replies.cancel(chat);
    return true;
  }

  #conversation(chat: string): Conversation | undefined {
    return this.#deps.session.store.getState().chats.conversations[chat];
  }

  /** Sends the next message, or the one that was `chosen`. */
  async sendNext(chat: string, chosen?: Chosen): Promise<void> {
    if (this.#sending.has(chat)) return;
    const { session, signal, next, endRetries, cancel, onChange } = this.#deps;
    const { account, store, storedSession, drafts } = session;
    const lastId = () => this.#conversation(chat)?.messages.at(-1)?.id;
    const before = lastId();
    this.#sending.add(chat);
    if (chosen) endRetries(chosen.draftKey);
    onChange();
    /** A message was sent, or another one has become the first. */
    let goesOn = false;
    try {
      await this.#alone(chat, async (hasWaited) => {
        const first = chosen?.draftKey ?? next(chat);
        if (first !== undefined && !(await uploadFiles(session, first, signal))) {
          // The box shows what is wrong with a file.
          if (isRefusedKey(first)) cancel(first);
          return;
        }
        // Only the server knows whether another tab or device has stopped the answer, or continued the chat.
        if (!storedSession && (chosen === undefined || hasWaited))
          await keepTrying(() => store.dispatch(refreshChat(chat)), { signal });
        // Another tab may have sent this message, or moved it: its draft is known to this tab after the lock only.
        const isStale = chosen && (lastId() !== before || readStorage(draftPrefix(account) + chosen.draftKey) === null);
        if (hasWaited && isStale) return;
        const draftKey = chosen?.draftKey ?? next(chat);
        if (draftKey === undefined || this.#conversation(chat)?.isWriting !== false || drafts.get(draftKey).isEmpty)
          return;
        goesOn = draftKey !== first || (await this.#send(chat, chosen ?? { draftKey }, chosen === undefined));
      });
    } catch {
      // The session has ended, the chat is gone, or the server does not answer: the message stays in the queue.
    }
    this.#sending.delete(chat);
    onChange();
    // The answer may have ended before its request was settled here.
    if (goesOn && next(chat) !== undefined) void this.sendNext(chat);
  }

  /**
   * Runs `send` in one tab of the browser at a time. `hasWaited`: another tab was sending. Without locks the idempotency
   * key alone prevents duplicates.
   */
  async #alone(chat: string, send: (hasWaited: boolean) => Promise<void>): Promise<void> {
    const { session, locks, signal } = this.#deps;
    if (!locks) return send(false);
    const name = `parley-queue:${session.account}:${chat}`;
    const isFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await send(false);
      return lock !== null;
    });
    if (!isFree) await locks.request(name, { signal }, () => send(true));
  }

  /** @returns whether the server has accepted the message */
  async #send(chat: string, { draftKey, before, tries }: Chosen, isQuiet: boolean): Promise<boolean> {
    const { session, records, contents, takeRefused } = this.#deps;
    const { drafts, replies, branches, modelChoice } = session;
    const draftKeys = contents.waiting(chat);
    const followers = draftKeys.slice(draftKeys.indexOf(draftKey) + 1);
    // Try again sends to the model that is chosen now: the former one may be the reason of the refusal.
    const isTriedAgain = isRefusedKey(draftKey) && tries === undefined;
    const model = (isTriedAgain ? undefined : records.modelOf(draftKey)) ?? modelChoice.current().value;
    records.attach(draftKey, { after: this.#conversation(chat)?.messages.at(-1)?.id ?? undefined });
    const ticket = drafts.take(draftKey, model);
    const { draft, key } = ticket;
    showFiles(session, ticket);
    const onRefused = (refusal: SendOutcome) => this.#cancelled.has(draftKey) || takeRefused(ticket, refusal, tries);
    const options = { key, files: draft.files, onRefused };
    const sent =
      before && branches
        ? branches.replies.sendAsBranch(chat, before, { text: draft.text, model: ticket.model, ...options })
        : replies.send(chat, draft.text, ticket.model, options);
    const [question, reply] = this.#conversation(chat)?.messages.slice(-2) ?? [];
    if (isQuiet && question) quietQuestions.add(question.key);
    for (const follower of followers) records.attach(follower, { reply: reply?.key });
    this.#leavingFrom.set(chat, draftKey);
    const outcome = await sent;
    settleFiles(session, ticket, outcome);
    this.#leavingFrom.delete(chat);
    if (question) quietQuestions.delete(question.key);
    this.#settle(ticket, outcome, chat);
    // Any other one may be restored with its chat, if that was deleted meanwhile.
    if (outcome.isTaken) this.#deps.forget(draftKey);
    return outcome.isTaken;
  }

  /**
   * Cancelled text returns to the box as any message does, but not into text that the user is writing. Without an
   * answer, the server may have stored the message: the next send of the text has the same key.
   */
  #settle(ticket: Ticket, outcome: SendOutcome, chat: string): void {
    const { session, records } = this.#deps;
    const { drafts } = session;
    const { draftKey, draft, model } = ticket;
    if (this.#cancelled.delete(draftKey)) {
      drafts.settle(ticket, { isTaken: true, isAnswered: true }, draftKey);
      return;
    }
    const isFree = outcome.chat !== chat || drafts.get(chat).isEmpty;
    const backTo = isFree ? outcome.chat : draftKey;
    const after = records.attachmentOf(draftKey).after;
    // A message that was refused is settled already.
    if (!drafts.settle(ticket, outcome, backTo) || outcome.isTaken) return;
    if (!outcome.isAnswered) records.store(backTo ?? draftKey, { ...ticket, after: isFree ? undefined : after });
    else if (backTo === draftKey) records.store(draftKey, { draft, model, key: newRequestKey() });
  }
}
