/** For the tests of replies: a scripted API, and the events that the server streams. */

import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { type Api, ApiError, type ApiOptions, type OpenInit } from "../api/client.ts";
import type { WaitReason } from "../chats/state/chats-state.ts";
import { createChatsStore } from "../chats/state/chats-store.ts";
import { openChat } from "../chats/state/chats-thunks.ts";
import { Replies } from "../reply/replies.ts";

type Answer = Response | Error | ((signal: AbortSignal | undefined) => Promise<Response>);
export type Call = { path: string; init: OpenInit };

const encoder = new TextEncoder();
export const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
export const start = (at = 0, reply = "r1") => event({ reply, at });
export const token = (text: string, at: number) => event({ token: text, at });
export const DONE = "data: [DONE]\n\n";

export function stream(...parts: string[]): Response {
  return new Response(encoder.encode(parts.join("")), { headers: { "content-type": "text/event-stream" } });
}

type Endless = { response: Response; push: (...parts: string[]) => void; end: (...parts: string[]) => void };

/** Returns a stream that pauses after `parts`, and after those of each `push`, until `end` is called. */
export function endless(...parts: string[]): Endless {
  let ending: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      ending = controller;
      controller.enqueue(encoder.encode(parts.join("")));
    },
  });
  const push = (...more: string[]) => ending?.enqueue(encoder.encode(more.join("")));
  const end = (...rest: string[]) => {
    push(...rest);
    ending?.close();
  };
  return { response: new Response(body, { headers: { "content-type": "text/event-stream" } }), push, end };
}

/** Returns a stream that fails before its first byte. */
export function broken(): Response {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("The connection broke")) });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

export const unreachable = () => new ApiError(0, "Failed to fetch", { code: "unreachable" });
export const UNREACHABLE = "The server could not be reached. Please check your connection and try again.";

export const bodyOf = (call: Call | undefined): unknown => JSON.parse(String(call?.init.body ?? "null"));
export const keyOf = (call: Call | undefined) => call?.init.headers?.["idempotency-key"];

export function refusal(status: number, code: string, detail = "No."): Response {
  return new Response(JSON.stringify({ detail, error: detail, code }), { status });
}

export function message(
  id: string,
  role: "user" | "assistant",
  content: string,
  state: Message["state"] = "complete",
): Message {
  return { id, role, content, state, parent: null, model: null, createdAt: 1 };
}

/**
 * Replaces the timers in each test of a file; call it at the top. The clock moves by itself, so that an awaited reply
 * gets past its pauses; a test moves it further with `vi.advanceTimersByTimeAsync`.
 */
export function eachTestWithMovingClock(): void {
  beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** Returns the replies of {@link setUpReplies} once chat `a` is open. */
export async function openReplies(stored: Message[] = []) {
  const opened = setUpReplies(stored);
  await opened.store.dispatch(openChat("a"));
  const conversation = () => opened.chats().conversations.a;
  const last = () => conversation()?.messages.at(-1);
  const waitReason = () => conversation()?.waitReason;
  /** Resolves once a message waits for that reason. */
  const isWaiting = (reason: WaitReason = "offline") => vi.waitFor(() => expect(waitReason()).toBe(reason));
  return { ...opened, conversation, last, waitReason, isWaiting };
}

/** Returns an API whose answers each test defines; `stored` is the content of chat `a`. */
export function setUpReplies(stored: Message[] = []) {
  const answers: Answer[] = [];
  const calls: Call[] = [];
  const state = { stored, isReadable: true, isUnreachable: false, isDeletable: true, title: "T", reads: 0 };
  const held: Promise<void>[] = [];
  const api = {
    async get(path: string) {
      state.reads += 1;
      if (!state.isReadable) throw new ApiError(500, "", { body: "" });
      const chat = { id: path.split("/").at(-1), title: state.title, updatedAt: 1, messages: state.stored };
      await held.shift();
      return chat;
    },
    async post(path: string, body: unknown, _schema: unknown, options: ApiOptions = {}) {
      calls.push({ path, init: { ...options, method: "POST", body: JSON.stringify(body) } });
      if (state.isUnreachable) throw unreachable();
      return { id: "new", title: "New chat", updatedAt: 1, messages: [] };
    },
    async patch() {},
    async delete() {
      await held.shift();
      if (!state.isDeletable) throw new ApiError(500, "", { body: "" });
    },
    async open(path: string, init: OpenInit) {
      calls.push({ path, init });
      const answer = answers.shift() ?? new Error("No answer is left");
      if (answer instanceof Error) throw answer;
      return typeof answer === "function" ? answer(init.signal) : answer;
    },
  } as unknown as Api;
  const store = createChatsStore(api);
  const replies = new Replies(store, api);
  const chats = () => store.getState().chats;
  const words = (chat = "a") => chats().conversations[chat]?.messages.map(({ content }) => content);
  /** Holds the response to the next read or deletion of a chat until the returned function is called. */
  const holdRead = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(promise);
    return resolve;
  };
  const settle = () => vi.waitFor(() => expect(chats().loading).toEqual([]));
  return { answers, calls, state, store, replies, chats, words, settle, holdRead };
}
