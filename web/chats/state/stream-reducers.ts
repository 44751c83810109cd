import type { PayloadAction } from "@reduxjs/toolkit";
import { NEW_CHAT_TITLE } from "#contract/chats.ts";
import type { Away, ChatsState, ClientMessage, Conversation, Work } from "./chats-state.ts";

export type OfChat<T = unknown> = PayloadAction<{ chat: string } & T>;
export type Failed = { error: string };

export function begin(state: ChatsState, work: Work): void {
  if (!state.loading.includes(work)) state.loading.push(work);
}

export function end(state: ChatsState, work: Work): void {
  state.loading = state.loading.filter((other) => other !== work);
}

/** The chat that could not be opened is not waited for any more. */
export function forgetMissing(state: ChatsState): void {
  state.missing.chat = null;
  if (state.error?.isOfOpening) state.error = null;
}

/** A person who asks for a reply stays in that chat: none that could not be opened takes its place. */
function beginRequest(state: ChatsState, chat: string | null): void {
  state.error = null;
  if (state.missing.chat === null) return;
  forgetMissing(state);
  // The address is still that of the missing chat.
  if (chat !== null && chat === state.currentChat) state.destination = { chat, replace: true };
}

function beginTurn(conversation: Conversation): void {
  conversation.isWriting = true;
  conversation.turn += 1;
}

function endTurn(conversation: Conversation): void {
  Object.assign(conversation, { isWriting: false, away: null, turn: conversation.turn + 1 });
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
  state: "writing",
  loading: true,
});

/** What a person has just sent, with the place of its answer. `key` names the two. */
export function sentMessages(key: string, text: string): ClientMessage[] {
  const question = { key: `${key}-question`, id: null, content: text, loading: false };
  return [{ ...question, role: "user", state: "complete" }, emptyReply(key)];
}

/** The part of the slice that sends messages and follows their replies: from the key press to the last word. */
export const streamReducers = {
  /** A message to a chat that is made for it. */
  sendFirstMessage(state: ChatsState, { payload }: PayloadAction<{ key: string; text: string }>) {
    beginRequest(state, null);
    state.firstMessage = { ...payload, away: null };
  },
  /** No chat was made for it. */
  dropFirstMessage(state: ChatsState) {
    state.firstMessage = null;
  },
  /** `key` names the two messages that appear. They begin a branch behind the messages of `kept`, where these are given. */
  sendMessageWithAiStream(
    state: ChatsState,
    { payload }: OfChat<{ key: string; text: string; kept?: readonly ClientMessage[] }>,
  ) {
    const { chat, key, text, kept } = payload;
    if (state.firstMessage?.key === key) state.firstMessage = null;
    const conversation = state.conversations[chat];
    if (!conversation) return;
    begin(state, `send:${chat}`);
    beginRequest(state, chat);
    beginTurn(conversation);
    conversation.messages = [...(kept ?? conversation.messages), ...sentMessages(key, text)];
  },
  /** Another reply takes the place of the last one, or of the one of `of` and all that follows it; or the last goes on. */
  requestReply(state: ChatsState, { payload }: OfChat<{ key: string; isContinued: boolean; of?: string | undefined }>) {
    const { chat, key, isContinued, of } = payload;
    const conversation = state.conversations[chat];
    const reply = conversation && lastReply(conversation);
    if (!conversation) return;
    begin(state, `send:${chat}`);
    beginRequest(state, chat);
    beginTurn(conversation);
    if (isContinued && reply) {
      reply.state = "writing";
      return;
    }
    const { messages } = conversation;
    const place = of === undefined ? -1 : messages.findIndex(({ id }) => id === of);
    const kept = place === -1 ? messages.length - (reply ? 1 : 0) : place;
    conversation.messages = [...messages.slice(0, kept), emptyReply(key)];
  },
  /** The messages of another branch, as far as this page knows them: what the server tells of it follows. */
  showBranch(state: ChatsState, { payload }: OfChat<{ messages: readonly ClientMessage[] }>) {
    const conversation = state.conversations[payload.chat];
    if (conversation) Object.assign(conversation, { messages: payload.messages, turn: conversation.turn + 1 });
  },
  /** This page begins to follow a reply that was already being written, or that goes on by being read. */
  joinStream(state: ChatsState, { payload }: OfChat) {
    const conversation = state.conversations[payload.chat];
    if (!conversation) return;
    begin(state, `send:${payload.chat}`);
    beginTurn(conversation);
    const reply = lastReply(conversation);
    if (reply) reply.state = "writing";
  },
  /** Without a chat: for the message that waits for one. */
  setAway(state: ChatsState, { payload }: PayloadAction<{ chat: string | null; away: Away | null }>) {
    const waiting = payload.chat === null ? state.firstMessage : state.conversations[payload.chat];
    if (waiting) waiting.away = payload.away;
  },
  /** The server writes: the chat goes to the top of the history, and a new one has its first title. */
  receiveStreamStart(state: ChatsState, { payload }: OfChat<{ reply: string; at: number }>) {
    const { chat, reply, at } = payload;
    const conversation = state.conversations[chat];
    const last = conversation && lastReply(conversation);
    if (!last) return;
    last.id = reply;
    const [question, answer, more] = conversation.messages;
    // Where the question was stored before, the chat has a name.
    const isFirst = question?.id === null && answer !== undefined && !more;
    if (isFirst && ["", NEW_CHAT_TITLE].includes(conversation.title)) {
      conversation.title = firstTitle(question.content);
      conversation.isUntitled = false;
    }
    const item = state.chats.find(({ id }) => id === chat);
    if (!item) return;
    // The account's events may have told its end already.
    const moved = { ...item, title: conversation.title, updatedAt: at };
    if (!conversation.isUntitled) delete moved.isUntitled;
    state.chats = [moved, ...state.chats.filter(({ id }) => id !== chat)];
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
  /** The server has not stored all that this page has seen of the reply: what goes on begins at `at`. */
  cutReply(state: ChatsState, { payload }: OfChat<{ at: number }>) {
    const conversation = state.conversations[payload.chat];
    const reply = conversation && lastReply(conversation);
    if (reply) reply.content = reply.content.slice(0, payload.at);
  },
  /** `isStopped`: it was this page that had it stopped. */
  completeStream(state: ChatsState, { payload }: OfChat<{ isStopped?: boolean }>) {
    end(state, `send:${payload.chat}`);
    const conversation = state.conversations[payload.chat];
    if (!conversation) return;
    endTurn(conversation);
    const reply = lastReply(conversation);
    if (reply?.state === "writing") {
      Object.assign(reply, { state: payload.isStopped ? "stopped" : "complete", loading: false });
    }
    const item = state.chats.find(({ id }) => id === payload.chat);
    if (item?.isWriting) item.isWriting = false;
  },
  /**
   * `isUnsent`: the server did not take the message, so it leaves the screen (its words go back to the box). `behind`: what
   * was shown before it, where the chat has gone on elsewhere.
   */
  failStream(
    state: ChatsState,
    { payload }: OfChat<Failed & { isUnsent: boolean; behind?: readonly ClientMessage[] | undefined }>,
  ) {
    const { chat, error, isUnsent, behind } = payload;
    end(state, `send:${chat}`);
    state.error = { text: error, chat, ...(behind && { behind: [...behind] }) };
    const conversation = state.conversations[chat];
    if (!conversation) return;
    endTurn(conversation);
    const reply = lastReply(conversation);
    if (reply?.loading) conversation.messages.pop();
    else if (reply?.state === "writing") reply.state = "failed";
    if (isUnsent) conversation.messages.pop();
  },
  /** What was asked for did not happen: the messages are again what they were before. */
  withdraw(state: ChatsState, { payload }: OfChat<{ messages: readonly ClientMessage[] }>) {
    end(state, `send:${payload.chat}`);
    const conversation = state.conversations[payload.chat];
    if (!conversation) return;
    endTurn(conversation);
    Object.assign(conversation, { messages: payload.messages });
  },
};

const TITLE_LENGTH = 60;

/** What a chat is called from its first question until the server names it: the question's beginning, on one line. */
function firstTitle(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  const characters = [...line];
  return characters.length <= TITLE_LENGTH
    ? line
    : `${characters
        .slice(0, TITLE_LENGTH - 1)
        .join("")
        .trimEnd()}…`;
}
