import { createSlice, original, type PayloadAction } from "@reduxjs/toolkit";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import type { Chat } from "#contract/conversation/conversation.ts";
import type { SendResponse } from "#contract/conversation/conversation-calls.ts";
import type { ChatGuidance } from "#contract/conversation/presets.ts";
import {
  type ChangedChat,
  chatLocation,
  type HistoryPage,
  insertChat,
  removeChat,
  restoreChat,
  takeHistory,
  untitledOf,
} from "./chat-changes.ts";
import {
  type ChatsState,
  type ClientMessage,
  type Conversation,
  type Guidance,
  initialChatsState,
  type Work,
} from "./chats-state.ts";
import { takeStored } from "./stored-messages.ts";
import { begin, end, type Failed, forgetMissing, type OfChat, streamReducers } from "./stream-reducers.ts";

/** The fields to change. */
type GuidanceChange = Partial<Guidance> & { instructions?: string };

/** Stores a chat's guidance and instructions as the server returned them. */
function takeGuidance(conversation: Conversation, { presetId, instructions, effort, tools }: ChatGuidance): void {
  conversation.presetId = presetId ?? null;
  conversation.instructions = instructions ?? "";
  conversation.effort = effort ?? null;
  conversation.tools = tools ?? null;
}

function store(state: ChatsState, chat: Chat): void {
  const { id, updatedAt, messages } = chat;
  const before = state.conversations[id];
  const item = state.chats.find((other) => other.id === id);
  // Other servers send no title with a chat.
  const title = chat.title || before?.title || item?.title || "";
  // While a reply is being followed, the messages here are newer than those just read.
  // Unchanged messages keep their objects, so that only new ones are rendered when a long chat is read again.
  const known = (before && original(before)?.messages) ?? [];
  const shown = before?.isWriting ? before.messages : takeStored(known, messages);
  const now: Conversation = {
    id,
    title,
    ...untitledOf(chat),
    updatedAt,
    location: chatLocation(chat),
    messages: shown,
    isLoaded: true,
    isWriting: before?.isWriting ?? false,
    waitReason: before?.waitReason ?? null,
    retry: before?.retry,
    version: before?.version ?? 0,
  };
  takeGuidance(now, chat);
  state.conversations[id] = now;
  if (item) Object.assign(item, { title, isUntitled: chat.isUntitled ?? false, updatedAt });
}

/** Events and transitions of the specification (sections 3 and 4), each with the chat that it belongs to. */
const slice = createSlice({
  name: "chats",
  initialState: initialChatsState,
  reducers: {
    loadHistory(state) {
      begin(state, "history");
      state.missing.history = false;
      state.error = null;
    },
    loadHistorySuccess(state, { payload }: PayloadAction<HistoryPage>) {
      end(state, "history");
      takeHistory(state, payload);
      state.hasLoadedHistory = true;
    },
    loadHistoryFailure(state, { payload }: PayloadAction<Failed>) {
      end(state, "history");
      state.missing.history = !state.hasLoadedHistory;
      state.error = { text: payload.error, chat: null };
    },

    loadChat(state, { payload }: OfChat) {
      begin(state, `open:${payload.chat}`);
      forgetMissing(state);
      state.opening = payload.chat;
    },
    /** Stores a chat. It becomes current only if it is still being opened. */
    loadChatSuccess(state, { payload }: PayloadAction<{ chat: Chat }>) {
      const { chat } = payload;
      end(state, `open:${chat.id}`);
      store(state, chat);
      if (state.opening !== chat.id) return;
      state.opening = null;
      state.currentChat = chat.id;
    },
    /** Ends a failed opening. `isGone`: the chat does not exist for this account, and the welcome screen is shown. */
    loadChatFailure(state, { payload }: OfChat<Failed & { isGone: boolean }>) {
      end(state, `open:${payload.chat}`);
      if (state.opening === payload.chat) {
        state.opening = null;
        // A current chat without messages could be neither shown nor written to.
        const isThere = state.currentChat !== null && state.conversations[state.currentChat] !== undefined;
        if (payload.isGone || !isThere) state.currentChat = null;
        if (!payload.isGone) state.missing.chat = payload.chat;
      }
      state.error = { text: payload.error, chat: null, isOfOpening: true };
    },
    /** Makes a chat current whose messages are in the state; null is the welcome screen. */
    selectChat(state, { payload }: PayloadAction<{ chat: string | null }>) {
      state.opening = null;
      forgetMissing(state);
      state.currentChat = payload.chat;
    },

    createChat(state) {
      begin(state, "create");
    },
    /** Stores a created chat. `isInBackground`: the person has opened another chat meanwhile, which stays current. */
    createChatSuccess(state, { payload }: PayloadAction<{ chat: Chat; isInBackground?: boolean }>) {
      end(state, "create");
      const { id, title, updatedAt } = payload.chat;
      state.guidanceOfNew = { presetId: null, effort: state.usualEffort, tools: null };
      const named = { id, title, ...untitledOf(payload.chat), updatedAt };
      state.chats = [named, ...state.chats.filter((chat) => chat.id !== id)];
      store(state, payload.chat);
      if (payload.isInBackground) return;
      forgetMissing(state);
      state.opening = null;
      state.currentChat = id;
      state.destination = { chat: id, replace: false };
    },
    createChatFailure(state, { payload }: PayloadAction<Failed>) {
      end(state, "create");
      state.error = { text: payload.error, chat: null };
    },

    addMessage(state, { payload }: OfChat<{ message: ClientMessage }>) {
      state.conversations[payload.chat]?.messages.push(payload.message);
    },
    sendMessageWithAi(state, { payload }: OfChat) {
      begin(state, `send:${payload.chat}`);
      state.error = null;
    },
    sendMessageWithAiSuccess(state, { payload }: OfChat<{ response: SendResponse }>) {
      const { chat, response } = payload;
      end(state, `send:${chat}`);
      const answers = response.ai_response ? [response.user_message, response.ai_response] : [response.user_message];
      state.conversations[chat]?.messages.push(...takeStored([], answers));
      if (response.error !== null) state.error = { text: response.error, chat };
    },

    ...streamReducers,

    /**
     * Changes a chat's guidance and instructions. Null: the chat that is not created yet, which has no instructions.
     */
    guide(state, { payload }: PayloadAction<{ chat: string | null; change: GuidanceChange }>) {
      const { chat, change } = payload;
      Object.assign(chat === null ? state.guidanceOfNew : (state.conversations[chat] ?? {}), change);
    },

    /** Removes a chat that was deleted on the server. The banner shows the error, whichever chat is open. */
    loseChat(state, { payload }: OfChat<Failed>) {
      const { chat, error } = payload;
      end(state, `send:${chat}`);
      state.chats = state.chats.filter((other) => other.id !== chat);
      delete state.conversations[chat];
      state.error = { text: error, chat: null };
      if (state.opening === chat) state.opening = null;
      if (state.currentChat !== chat) return;
      state.currentChat = null;
      if (state.opening === null) state.destination = { chat: null, replace: true };
    },
    /** Sets an error outside the stream: of reading the chat again after it, of a Stop request, or of one that waits. */
    setError(state, { payload }: PayloadAction<Failed & { chat: string | null }>) {
      const { error: text, chat, isOfBudget } = payload;
      state.error = { text, chat, isOfBudget };
    },
    setLoading(state, { payload }: PayloadAction<{ work: Work; isLoading: boolean }>) {
      (payload.isLoading ? begin : end)(state, payload.work);
    },

    deleteChat(state, { payload }: OfChat) {
      begin(state, `delete:${payload.chat}`);
    },
    deleteChatSuccess(state, { payload }: OfChat) {
      removeChat(state, payload.chat);
    },
    deleteChatFailure(state, { payload }: OfChat<Failed>) {
      end(state, `delete:${payload.chat}`);
      state.error = { text: payload.error, chat: null };
    },

    /** Applies a change of a chat that the server reported, from any page. */
    changeChat(state, { payload }: PayloadAction<{ chat: ChangedChat }>) {
      const conversation = state.conversations[payload.chat.id];
      if (conversation) takeGuidance(conversation, payload.chat);
      if (state.hasLoadedHistory) insertChat(state, payload.chat);
    },
    /** Inserts or updates chats: an optimistic update or its rollback. */
    putChats(state, { payload }: PayloadAction<{ chats: ChatListItem[] }>) {
      for (const chat of payload.chats) insertChat(state, chat);
    },
    /** Inserts chats whose deletion was undone. */
    restoreChats(state, { payload }: PayloadAction<{ chats: ChatListItem[] }>) {
      for (const chat of payload.chats) restoreChat(state, chat);
    },
    /** Replaces the given fields of the organiser's state. */
    organise(state, { payload }: PayloadAction<Partial<Organised>>) {
      Object.assign(state, payload);
    },
    /** Navigates to a chat. */
    goTo(state, { payload }: OfChat) {
      state.destination = { chat: payload.chat, replace: false };
    },
    /** Clears the destination after the navigation, so that it does not apply again on a later visit. */
    arrive(state) {
      state.destination = null;
    },
    /** Removes a chat deleted elsewhere. `isLeft`: the box of a new chat takes its place, for example with its draft. */
    dropChat(state, { payload }: OfChat<{ isLeft: boolean }>) {
      removeChat(state, payload.chat, payload.isLeft ? null : undefined);
    },
    /** Marks the newest reply as read. */
    seeReply(state, { payload }: OfChat) {
      const item = state.chats.find((chat) => chat.id === payload.chat);
      if (item) item.isUnread = false;
    },

    clearError(state) {
      state.error = null;
    },
  },
});

export type Organised = Pick<
  ChatsState,
  | "chats"
  | "folders"
  | "openFolders"
  | "folderPages"
  | "selection"
  | "renaming"
  | "dialog"
  | "announcement"
  | "usualEffort"
>;

export const chatsReducer = slice.reducer;
export const chatEvents = slice.actions;
