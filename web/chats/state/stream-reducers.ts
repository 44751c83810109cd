import type { PayloadAction } from "@reduxjs/toolkit";
import { NEW_CHAT_TITLE } from "#contract/conversation/chats.ts";
import { isEmptyMessage, type MessagePart } from "#contract/conversation/parts.ts";
import { isRunning, RUNNING, WAITING } from "#contract/conversation/reply-state.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import type { ChatsState, ClientMessage, Conversation, NewBranch, WaitReason, Work } from "./chats-state.ts";
import { filesOf, toFileParts } from "./file-parts.ts";
import { needsDecision } from "./needs-decision.ts";

export type OfChat<T = unknown> = PayloadAction<{ chat: string } & T>;
/** `isOfBudget`: a budget refused the request. */
export type Failed = { error: string; isOfBudget?: boolean | undefined };

export function begin(state: ChatsState, work: Work): void {
  if (!state.loading.includes(work)) state.loading.push(work);
}

export function end(state: ChatsState, work: Work): void {
  state.loading = state.loading.filter((other) => other !== work);
}

/** Cancels the retry of the chat that could not be opened, and clears its error. */
export function forgetMissing(state: ChatsState): void {
  state.missing.chat = null;
  if (state.error?.isOfOpening) state.error = null;
}

/** Begins a request: clears the error, and cancels the retry of another chat, which would replace this one. */
function beginRequest(state: ChatsState, chat: string | null): void {
  state.error = null;
  if (state.missing.chat === null) return;
  forgetMissing(state);
  // The address is still that of the missing chat.
  if (chat !== null && chat === state.currentChat) state.destination = { chat, replace: true };
}

function beginTurn(conversation: Conversation): void {
  conversation.isWriting = true;
  conversation.retry = undefined;
  conversation.version += 1;
}

function endTurn(conversation: Conversation): void {
  Object.assign(conversation, { isWriting: false, waitReason: null, version: conversation.version + 1 });
}

function lastReply(conversation: Conversation): ClientMessage | undefined {
  const last = conversation.messages.at(-1);
  return last?.role === "assistant" ? last : undefined;
}

const emptyReply = (key: string): ClientMessage => ({
  key: `${key}-reply`,
  id: null,
  role: "assistant",
  content: "",
  state: RUNNING,
  loading: true,
});

/** A message as it was sent. */
type Sent = { key: string; text: string; files?: readonly AttachedFile[] };

/** Returns the two optimistic messages of a send: the question and the empty reply. Their keys derive from `key`. */
export function sentMessages({ key, text, files = [] }: Sent): ClientMessage[] {
  const question = { key: `${key}-question`, id: null, content: text, loading: false };
  const parts = files.length > 0 && { parts: toFileParts(files) };
  return [{ ...question, role: "user", state: "complete", ...parts }, emptyReply(key)];
}

/** Reducers that send messages and follow their replies: from the key press to the end of the stream. */
export const streamReducers = {
  /** Stores a first message whose chat is being created. */
  sendFirstMessage(state: ChatsState, { payload }: PayloadAction<Sent>) {
    beginRequest(state, null);
    state.firstMessage = { ...payload, waitReason: null };
  },
  /** Removes the first message when its chat was not created. */
  dropFirstMessage(state: ChatsState) {
    state.firstMessage = null;
  },
  /** Appends the two messages of `key`; if `branchBase` is given, they begin a branch after those messages. */
  sendMessageWithAiStream(state: ChatsState, { payload }: OfChat<Sent & { branchBase?: readonly ClientMessage[] }>) {
    const { chat, key, branchBase } = payload;
    if (state.firstMessage?.key === key) state.firstMessage = null;
    const conversation = state.conversations[chat];
    if (!conversation) return;
    begin(state, `send:${chat}`);
    beginRequest(state, chat);
    beginTurn(conversation);
    conversation.messages = [...(branchBase ?? conversation.messages), ...sentMessages(payload)];
  },
  /** Replaces the last reply, or the message with the id `of` and all after it, by a new one; or continues the last. */
  requestReply(state: ChatsState, { payload }: OfChat<{ key: string; isContinued: boolean; of?: string | undefined }>) {
    const { chat, key, isContinued, of } = payload;
    const conversation = state.conversations[chat];
    const reply = conversation && lastReply(conversation);
    if (!conversation) return;
    begin(state, `send:${chat}`);
    beginRequest(state, chat);
    beginTurn(conversation);
    if (isContinued && reply) {
      reply.state = RUNNING;
      return;
    }
    const { messages } = conversation;
    const index = of === undefined ? -1 : messages.findIndex(({ id }) => id === of);
    const baseLength = index === -1 ? messages.length - (reply ? 1 : 0) : index;
    conversation.messages = [...messages.slice(0, baseLength), emptyReply(key)];
  },
  /** Shows the messages of another branch as far as this page has them; the server's version follows. */
  showBranch(state: ChatsState, { payload }: OfChat<{ messages: readonly ClientMessage[] }>) {
    const conversation = state.conversations[payload.chat];
    if (conversation) Object.assign(conversation, { messages: payload.messages, version: conversation.version + 1 });
  },
  /** Begins to follow a reply that is already running, or that continues when it is read. */
  joinStream(state: ChatsState, { payload }: OfChat) {
    const conversation = state.conversations[payload.chat];
    if (!conversation) return;
    begin(state, `send:${payload.chat}`);
    beginTurn(conversation);
    const reply = lastReply(conversation);
    if (reply) reply.state = RUNNING;
  },
  /** Sets the reason for waiting; `chat` null: of the first message. */
  setWaitReason(state: ChatsState, { payload }: PayloadAction<{ chat: string | null; waitReason: WaitReason | null }>) {
    const waiting = payload.chat === null ? state.firstMessage : state.conversations[payload.chat];
    if (waiting) waiting.waitReason = payload.waitReason;
  },
  /** The stream has started: moves the chat to the top of the history, and gives a new chat its provisional title. */
  receiveStreamStart(state: ChatsState, { payload }: OfChat<{ reply: string; at: number }>) {
    const { chat, reply, at } = payload;
    const conversation = state.conversations[chat];
    const last = conversation && lastReply(conversation);
    if (!last) return;
    last.id = reply;
    const [question, answer, more] = conversation.messages;
    // If the question was already stored, the chat has a title.
    const isFirst = question?.id === null && answer !== undefined && !more;
    if (isFirst && ["", NEW_CHAT_TITLE].includes(conversation.title)) {
      conversation.title = firstTitle(question);
      conversation.isUntitled = false;
    }
    const item = state.chats.find(({ id }) => id === chat);
    if (!item) return;
    // An account event may already have reported the reply's end: `isWriting` stays unchanged.
    const moved = { ...item, title: conversation.title, updatedAt: at };
    if (!conversation.isUntitled) delete moved.isUntitled;
    state.chats = [moved, ...state.chats.filter(({ id }) => id !== chat)];
  },
  /** Signs the reply with the model (a value) that writes it. */
  receiveWriter(state: ChatsState, { payload }: OfChat<{ model: string }>) {
    const conversation = state.conversations[payload.chat];
    const reply = conversation && lastReply(conversation);
    if (reply) reply.model = payload.model;
  },
  receiveStreamToken(state: ChatsState, { payload }: OfChat<{ token: string }>) {
    const conversation = state.conversations[payload.chat];
    const reply = conversation && lastReply(conversation);
    if (!reply) return;
    reply.content += payload.token;
    reply.loading = false;
  },
  receiveStreamSeam(state: ChatsState, { payload }: OfChat<{ seam: number }>) {
    const conversation = state.conversations[payload.chat];
    const reply = conversation && lastReply(conversation);
    if (reply && !reply.seams?.includes(payload.seam)) reply.seams = [...(reply.seams ?? []), payload.seam];
  },
  /** Adds or replaces a part of the reply. `rev`: the reply's revision with it. */
  receivePart(state: ChatsState, { payload }: OfChat<{ part: MessagePart; rev: number }>) {
    const { chat, part, rev } = payload;
    const conversation = state.conversations[chat];
    const reply = conversation && lastReply(conversation);
    if (!reply) return;
    const others = (reply.parts ?? []).filter(({ seq }) => seq !== part.seq);
    Object.assign(reply, { parts: [...others, part].sort((a, b) => a.seq - b.seq), rev });
  },
  /** Removes the parts of the reply, which the server sends anew. */
  discardParts(state: ChatsState, { payload }: OfChat) {
    const conversation = state.conversations[payload.chat];
    const reply = conversation && lastReply(conversation);
    delete reply?.parts;
    delete reply?.rev;
  },
  /** Cuts the reply to what the server has stored: the continuation begins at `at` (UTF-16 units). */
  cutReply(state: ChatsState, { payload }: OfChat<{ at: number }>) {
    const conversation = state.conversations[payload.chat];
    const reply = conversation && lastReply(conversation);
    if (reply) reply.content = reply.content.slice(0, payload.at);
  },
  /** Ends a reply. `isStopped`: this page requested the stop. */
  completeStream(state: ChatsState, { payload }: OfChat<{ isStopped?: boolean }>) {
    end(state, `send:${payload.chat}`);
    const conversation = state.conversations[payload.chat];
    if (!conversation) return;
    endTurn(conversation);
    const reply = lastReply(conversation);
    if (reply && isRunning(reply.state)) {
      const ended = reply.parts?.some(needsDecision) ? WAITING : "complete";
      Object.assign(reply, { state: payload.isStopped ? "stopped" : ended, loading: false });
    }
    const item = state.chats.find(({ id }) => id === payload.chat);
    if (item?.isWriting) item.isWriting = false;
  },
  /**
   * Ends a failed reply. `isUnsent`: the server did not accept the message, so it is removed (its text returns to the
   * box). `branch`: the branch that it can begin, if the chat was continued elsewhere. `retry`: if it may be repeated.
   */
  failStream(
    state: ChatsState,
    { payload }: OfChat<Failed & Pick<Conversation, "retry"> & { isUnsent: boolean; branch?: NewBranch | undefined }>,
  ) {
    const { chat, error, isOfBudget, isUnsent, branch, retry } = payload;
    end(state, `send:${chat}`);
    state.error = { text: error, chat, isOfBudget, branch };
    const conversation = state.conversations[chat];
    if (!conversation) return;
    endTurn(conversation);
    conversation.retry = retry;
    const reply = lastReply(conversation);
    if (reply?.loading && isEmptyMessage(reply)) conversation.messages.pop();
    else if (reply && isRunning(reply.state)) Object.assign(reply, { state: "failed", loading: false });
    if (isUnsent) conversation.messages.pop();
  },
  /** Rolls an optimistic update back: restores the messages from before the request. */
  withdraw(state: ChatsState, { payload }: OfChat<{ messages: readonly ClientMessage[] }>) {
    end(state, `send:${payload.chat}`);
    const conversation = state.conversations[payload.chat];
    if (!conversation) return;
    endTurn(conversation);
    Object.assign(conversation, { messages: payload.messages });
  },
};

const TITLE_LENGTH = 60;

/**
 * Returns the provisional title until the server names the chat: the beginning of the question, or of the names of its
 * files, on one line.
 */
function firstTitle(question: ClientMessage): string {
  const names = filesOf(question).map(({ name }) => name);
  const line = (question.content.trim() || names.join(", ")).replaceAll(/\s+/g, " ");
  const characters = [...line];
  return characters.length <= TITLE_LENGTH
    ? line
    : `${characters
        .slice(0, TITLE_LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}
