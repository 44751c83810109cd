import { MINUTE } from "#contract/limits.ts";
import { readApiError } from "../api/api-error.ts";
import { type Api, ApiError } from "../api/client.ts";
import { isUnavailable, keepTrying, type Patience, refusePassing } from "../api/keep-trying.ts";
import { waitOf } from "../api/problem-text.ts";
import { newRequestKey } from "../api/request-key.ts";
import { verdict } from "../api/verdict.ts";
import { tooOftenText } from "../api/wait-text.ts";
import { selectWrittenChats } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { WaitReason } from "../chats/state/chats-state.ts";
import type { ChatsStore } from "../chats/state/chats-store.ts";
import { createChat } from "../chats/state/chats-thunks.ts";
import { wordCode, wordFailure } from "../chats/state/word-failure.ts";
import { i18n } from "../locales/i18n.ts";
import { lazyModule } from "../ui/lazy/lazy-module.ts";
import { type ReplyRequest, requestReply } from "./open-reply.ts";
import { wordRefusal } from "./reply-refusal.ts";
import { WaitReport, wordAnswer } from "./wait-report.ts";

/** Whether a budget refused a request. */
export const isOfBudget = ({ code }: Pick<Refused, "code">): boolean => code === "budget-reached";

/**
 * Reason of a failed request, with a translated text. `isAnswered`: the server has refused it; otherwise it may have
 * been executed. `isGone`: our server does not know the chat; a 404 of a proxy does not count.
 */
export type Refused = {
  status: number;
  code?: string | undefined;
  /** Id of the file that is the reason. */
  file?: string | undefined;
  text: string;
  isAnswered: boolean;
  isCancelled: boolean;
  isGone: boolean;
  /** Time (ms) after which a request that was refused for its frequency may be repeated. */
  retryAfterMs?: number | undefined;
};

const budgetWords = lazyModule(() => import("../usage/budget-refusal.ts"));
/** Longest time in which files are sent, and read by the server. */
const FILES_ANSWER_MS = 3 * MINUTE;

/**
 * Pending requests, at most one in each chat (null: for a new chat that is not created yet). They are retried while the
 * server may still answer, and can be cancelled.
 */
export class PendingRequests {
  readonly #store: ChatsStore;
  readonly #api: Api;
  readonly #leaving: AbortSignal;
  readonly #cancels = new Map<string | null, AbortController>();
  readonly #toStop = new Set<string | null>();
  /** Chats whose request waits for an earlier operation. */
  readonly #waitingChats = new Set<string>();
  readonly #intents = new Map<string, { intent: string; key: string }>();

  /** `leaving`: aborts all requests. */
  constructor(store: ChatsStore, api: Api, leaving: AbortSignal) {
    this.#store = store;
    this.#api = api;
    this.#leaving = leaving;
  }

  /** Returns the idempotency key of an intent, which it keeps until the server has answered. */
  keyOf(chat: string, intent: string): string {
    const last = this.#intents.get(chat);
    const key = last?.intent === intent ? last.key : newRequestKey();
    this.#intents.set(chat, { intent, key });
    return key;
  }

  /** Sends a request. `ahead`: an operation that must finish first. */
  async post(chat: string, request: ReplyRequest, ahead?: Promise<unknown>): Promise<Response | Refused> {
    const answer = await this.#wait(chat, async (patience) => {
      if (ahead) await this.#follow(chat, ahead, patience.signal);
      const ask = async (signal: AbortSignal) => refusePassing(await requestReply(this.#api, request, signal));
      const isLong = request.body instanceof Blob;
      return read(await keepTrying(ask, isLong ? { ...patience, answerMs: FILES_ANSWER_MS } : patience));
    });
    if (answer instanceof Response || answer.isAnswered) this.#intents.delete(chat);
    return answer;
  }

  /** Creates a chat. @returns its id, or null after a failure, which is shown unless it was cancelled */
  async makeChat(): Promise<string | null> {
    const made = await this.#wait(null, (patience) => this.#store.dispatch(createChat(patience)));
    return typeof made === "string" ? made : null;
  }

  cancel(chat: string | null): void {
    this.#cancels.get(chat)?.abort();
  }

  /** Cancels a waiting request. If the request is answered first, its reply is stopped. */
  stop(chat: string): void {
    if (!this.#cancels.has(chat)) return;
    const isUnsent = this.#waitingChats.has(chat) || this.#store.getState().chats.conversations[chat]?.waitReason;
    if (isUnsent) this.cancel(chat);
    else this.#toStop.add(chat);
  }

  /** Whether the answered request was to be stopped. Resets the mark. */
  wasStopped(chat: string): boolean {
    return this.#toStop.delete(chat);
  }

  /** Resolves when `ahead` has finished; rejects with the signal's reason. */
  async #follow(chat: string, ahead: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const cancelled = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => cancelled.reject(signal.reason), { once: true });
    this.#waitingChats.add(chat);
    try {
      await Promise.race([ahead, cancelled.promise]);
    } finally {
      this.#waitingChats.delete(chat);
    }
  }

  async #wait<T>(chat: string | null, ask: (patience: Patience) => Promise<T>): Promise<T | Refused> {
    const cancel = new AbortController();
    this.#cancels.set(chat, cancel);
    this.#toStop.delete(chat);
    const report = new WaitReport(this.#store, chat);
    const hold = (waitReason: WaitReason, cause?: ApiError) => {
      if (this.#toStop.has(chat)) return cancel.abort();
      this.#setWaitReason(chat, waitReason);
      if (cause) report.show(wordAnswer(cause));
    };
    try {
      const answer = await ask({
        signal: AbortSignal.any([this.#leaving, cancel.signal]),
        // The connection is there if our server has answered; a server that restarts closes it.
        onUnavailable: (cause) => hold(cause?.code === "unavailable" ? "at-capacity" : "offline", cause),
        onFull: hold,
        onRoom: (listener) => onReplyEnd(this.#store, listener),
      });
      this.#setWaitReason(chat, null);
      // A chat that was not created has an error of its own.
      if (answer !== null || cancel.signal.aborted) report.clear();
      return answer;
    } catch (cause) {
      // A message that has waited is shown as waiting until it is removed.
      const isCancelled = cancel.signal.aborted || this.#leaving.aborted;
      if (isCancelled) report.clear();
      const text = wordLast(cause);
      return { status: 0, text, isAnswered: !isCancelled && !isUnavailable(cause), isCancelled, isGone: false };
    } finally {
      this.#cancels.delete(chat);
    }
  }

  #setWaitReason(chat: string | null, waitReason: WaitReason | null): void {
    const { conversations, firstMessage } = this.#store.getState().chats;
    const waiting = chat === null ? firstMessage : conversations[chat];
    if (waiting && waiting.waitReason !== waitReason)
      this.#store.dispatch(chatEvents.setWaitReason({ chat, waitReason }));
  }
}

/** Returns the text for the failure that ended the attempts. */
function wordLast(cause: unknown): string {
  const answer = cause instanceof ApiError && isUnavailable(cause) ? wordAnswer(cause) : null;
  return answer ?? wordFailure(cause, i18n.t("chat:failure.stream"));
}

/** Returns a successful response unchanged, and a refusal with a translated text. */
async function read(response: Response): Promise<Response | Refused> {
  if (response.ok) return response;
  const error = await readApiError(response.clone());
  const waitMs = waitOf(error);
  const body = await response.text();
  const { status, code, file, text } = wordRefusal(response.status, body);
  const ofBudget = isOfBudget({ code }) ? await wordBudget(body) : null;
  const isGone = verdict({ status, code }) === "gone";
  const worded = waitMs === null ? (ofBudget ?? wordCode(code) ?? text) : tooOftenText(waitMs);
  const retryAfterMs = status === 429 ? error.retryAfterMs : undefined;
  return { status, code, file, text: worded, isAnswered: true, isCancelled: false, isGone, retryAfterMs };
}

/** Returns null if the words cannot be loaded. */
async function wordBudget(body: string): Promise<string | null> {
  const words = await budgetWords.load().catch(() => null);
  return words?.wordBudgetRefusal(body) ?? null;
}

/** Calls `listener` whenever the page learns of the end of a reply. @returns unsubscribes */
function onReplyEnd(store: ChatsStore, listener: () => void): () => void {
  let before = selectWrittenChats(store.getState());
  return store.subscribe(() => {
    const now = selectWrittenChats(store.getState());
    const hasEnded = [...before].some((chat) => !now.has(chat));
    before = now;
    if (hasEnded) listener();
  });
}
