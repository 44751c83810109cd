/** The state behind the chat screen of one account. It outlives the screen: replies continue on other pages. */

import { createContext, useContext } from "react";
import type { ErrorCode } from "#contract/errors.ts";
import type { AttachedFile } from "#contract/files/files.ts";
import { loadAuthConfig } from "../accounts/auth-config.ts";
import { currentSession, subscribeSession } from "../accounts/session/session.ts";
import { api } from "../api/client.ts";
import { notifyReconnected, onReturn } from "../api/on-return.ts";
import { pageVisibility } from "../api/page-visibility.ts";
import { SharedEvents } from "../api/shared-events.ts";
import { type TabTools, tabTools } from "../api/tab-tools.ts";
import { ChatsFollower } from "../chats/chats-follower.ts";
import { readOpenFolders } from "../chats/open-folders.ts";
import { selectCurrent } from "../chats/state/chats-selectors.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatsState } from "../chats/state/chats-state.ts";
import { type ChatsStore, createChatsStore } from "../chats/state/chats-store.ts";
import { ModelChoice } from "../models/model-choice.ts";
import { notifyInstructionsChanged } from "../presets/notify-instructions.ts";
import { PresetList } from "../presets/preset-list.ts";
import { notifyPresetsChanged } from "../presets/presets-changes.ts";
import { modelsQuery } from "../queries/models-query.ts";
import { type ConversationReplies, Replies } from "../reply/replies.ts";
import { ReplySlots } from "../reply/reply-slots.ts";
import { slottedApi } from "../reply/slotted-api.ts";
import type { ScrollPosition } from "../scroll/scroll-position.ts";
import { loadMissingModules } from "../ui/lazy/lazy-module.ts";
import { Edits } from "./edits.ts";
import { SavedWords } from "./saved-words.ts";
import { type DraftBox, Drafts } from "./stored-drafts.ts";

export type ChatSession = {
  account: string;
  store: ChatsStore;
  replies: ConversationReplies;
  drafts: DraftBox;
  /** Objects that branches need; null in the temporary chat, which has none. */
  branches: { replies: Replies; edits: Edits } | null;
  modelChoice: ModelChoice;
  presets: PresetList;
  /** Scroll positions of chats, by chat id; null in the temporary chat, which cannot be left. */
  positions: Map<string, ScrollPosition> | null;
  /** In the temporary chat's session: the session of the stored chats. Else null. */
  storedSession: ChatSession | null;
  /** The session of the temporary chat, once it was begun; null in its own session. */
  temporary: ChatSession | null;
  /** The chat whose draft moves to the temporary chat once its pane is on the screen. */
  movesFrom: { chat: string | null } | null;
  /** Returns why files cannot be sent with a message, null if they can. Absent in stored chats, whose files are uploaded. */
  filesRefusal?: (files: readonly AttachedFile[]) => ErrorCode | null;
  /** Registers a callback for the end of the session. */
  atEnd: (ending: () => void) => void;
};

let session: ChatSession | null = null;
/** Callbacks at the end of the session. */
const endings: (() => void)[] = [];

/** Returns the session of this account; created on first use. */
export function chatSession(account: string): ChatSession {
  if (session?.account === account) return session;
  end();
  const drafts = new Drafts(account);
  const positions = new Map<string, ScrollPosition>();
  const onEvent = (event: unknown, chats: ChatsState) => {
    moveDrafts(drafts, event, chats);
    // A chat with an unread answer opens at its end.
    if (chatEvents.seeReply.match(event)) positions.delete(event.payload.chat);
    // After deleting a chat, the user wants neither its waiting message sent nor its drafts.
    if (chatEvents.deleteChatSuccess.match(event)) replies.cancel(event.payload.chat);
  };
  const store = createChatsStore(api, onEvent);
  const tabs = tabTools();
  const slotted = slotReplies(tabs);
  const presets = new PresetList(api);
  const modelChoice = new ModelChoice(account, modelsQuery);
  const usualEffort = modelChoice.usualEffort();
  const openFolders = readOpenFolders(account);
  store.dispatch(chatEvents.organise({ openFolders, usualEffort, effortOfNew: usualEffort }));
  const replies = new Replies(store, presets.before(slotted.api), slotted.join);
  endings.push(
    () => replies.dispose(),
    () => drafts.dispose(),
    () => modelChoice.dispose(),
  );
  // Before the account is known, there are no changes to follow.
  const followed = { account, store, drafts, replies, modelChoice, presets, tabs, onReplyEnd: slotted.pollReply };
  if (account !== "") followAccount(followed);
  const atEnd = (ending: () => void) => void endings.push(ending);
  const branches = { replies, edits: new Edits(drafts) };
  const parts = { account, store, replies, drafts, branches, modelChoice, presets, positions, atEnd };
  session = { ...parts, storedSession: null, temporary: null, movesFrom: null };
  return session;
}

/** Returns the API for replies; if tabs can coordinate, it limits concurrent connections. */
function slotReplies(tabs: TabTools | null) {
  if (!tabs) return { api, join: undefined, pollReply: () => {} };
  const slots = new ReplySlots(tabs, pageVisibility);
  endings.push(() => slots.dispose());
  return slottedApi(api, slots, pageVisibility);
}

type Followed = Pick<ChatSession, "account" | "store"> & {
  drafts: Drafts;
  replies: Replies;
  modelChoice: ModelChoice;
  presets: PresetList;
  tabs: TabTools | null;
  onReplyEnd: (chat: string) => void;
};

/** Shows changes by other tabs and devices of the account. */
function followAccount(followed: Followed): void {
  const { account, store, drafts, replies, modelChoice, presets, tabs, onReplyEnd } = followed;
  const words = new SavedWords(account, drafts);
  const wordsIn = (chat: string | null) => drafts.get(chat).toStored() ?? "";
  const follower = new ChatsFollower({ store, api, page: pageVisibility, saveWords: words.save, onReplyEnd, wordsIn });
  let hasBeenLive = false;
  const events = new SharedEvents({
    api,
    account,
    tabs,
    page: pageVisibility,
    onChange: (event) => {
      if ("instructions" in event) notifyInstructionsChanged(event.instructions);
      else if ("presets" in event) presets.take(event.presets);
      else return follower.change(event);
      notifyPresetsChanged();
    },
    onGap: () => {
      follower.resync();
      void presets.load();
    },
    onLive: () => {
      follower.readMissing();
      replies.readLost();
      modelChoice.readMissing();
      presets.readMissing();
      loadMissingModules();
      if (hasBeenLive) notifyReconnected();
      hasBeenLive = true;
    },
  });
  follower.isLive = () => events.isLive;
  presets.isLive = () => events.isLive;
  endings.push(
    () => events.dispose(),
    modelsQuery.observe(),
    onReturn((how) => {
      // The server may have restarted with other settings.
      if (how === "reconnected") void loadAuthConfig();
      // A short loss of the network may not break the event connection.
      else follower.readMissing();
    }),
    () => follower.dispose(),
    () => words.dispose(),
  );
}

/** Moves drafts with their chat: to the new chat that they were written for, and out of a deleted one. */
export function moveDrafts(drafts: Drafts, event: unknown, { opening, currentChat }: ChatsState): void {
  if (chatEvents.createChatSuccess.match(event)) {
    const isBoxOfNew = (opening ?? currentChat) === null;
    drafts.adopt(event.payload.chat.id, isBoxOfNew);
  }
  if (chatEvents.deleteChatSuccess.match(event)) drafts.stash(event.payload.chat);
  if (chatEvents.restoreChats.match(event)) for (const { id } of event.payload.chats) drafts.bringBack(id);
  // Deleted elsewhere while this browser was offline: the welcome screen is shown, with the draft in its box.
  if (chatEvents.loadChatFailure.match(event) && event.payload.isGone) drafts.handOn(event.payload.chat);
  if (chatEvents.loseChat.match(event)) drafts.handOn(event.payload.chat);
}

function end(): void {
  for (const each of endings.splice(0)) each();
  session = null;
}

// Nothing of an account stays in memory after a logout.
subscribeSession(() => {
  const { user, token, ended } = currentSession();
  if (!session || (token !== null && (user === null || user.id === session.account))) return;
  // After a logout, text that this page was sending must not be stored again.
  if (ended === "signed-out") session.drafts.close();
  end();
});

export const ChatSessionContext = createContext<ChatSession | null>(null);

export function useChatSession(): ChatSession {
  const value = useContext(ChatSessionContext);
  if (!value) throw new Error("There is no chat session around this component");
  return value;
}

/** Whether the current chat has messages. */
export const hasMessages = ({ store }: ChatSession) => (selectCurrent(store.getState())?.messages.length ?? 0) > 0;

/** Whether this is the screen of the temporary chat. */
export const useIsTemporary = () => useChatSession().storedSession !== null;
