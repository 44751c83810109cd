/** The session of an account's stored chats. */

import { loadAuthConfig } from "../accounts/auth-config.ts";
import { currentSession, subscribeSession } from "../accounts/session/session.ts";
import { api } from "../api/client.ts";
import { SharedEvents } from "../api/events/shared-events.ts";
import { type TabTools, tabTools } from "../api/events/tab-tools.ts";
import { notifyReconnected, onReturn } from "../api/on-return.ts";
import { pageVisibility } from "../api/page-visibility.ts";
import { ChatsFollower } from "../chats/chats-follower.ts";
import { readOpenFolders } from "../chats/open-folders.ts";
import { chatEvents } from "../chats/state/chats-slice.ts";
import type { ChatsState } from "../chats/state/chats-state.ts";
import { createChatsStore } from "../chats/state/chats-store.ts";
import { followWaitingChats } from "../chats/waiting/follow-waiting-chats.ts";
import { ModelChoice } from "../models/model-choice.ts";
import { InstructionsNotices } from "../presets/instructions-notices.ts";
import { PresetList } from "../presets/preset-list.ts";
import { notifyPresetsChanged } from "../presets/presets-changes.ts";
import { modelsQuery } from "../queries/models-query.ts";
import { Replies } from "../reply/replies.ts";
import { ReplySlots } from "../reply/reply-slots.ts";
import { slottedApi } from "../reply/slotted-api.ts";
import type { ScrollPosition } from "../scroll/scroll-position.ts";
import { loadMissingModules } from "../ui/lazy/lazy-module.ts";
import { ChatSession } from "./chat-session.ts";
import { Edits } from "./edits.ts";
import { SavedWords } from "./saved-words.ts";
import { Drafts } from "./stored-drafts.ts";

/** The chat page and other pages share it, and it must outlive each of them. */
let current: ChatSession | null = null;

/** Returns the session of the stored chats of an account. Opens it on first use, which ends that of another account. */
export function openStoredSession(account: string): ChatSession {
  if (current?.account === account) return current;
  current?.dispose();
  const session = createSession(account);
  current = session;
  session.atEnd(() => {
    current = null;
  });
  return session;
}

function createSession(account: string): ChatSession {
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
  const slots = tabs && new ReplySlots(tabs, pageVisibility);
  const slotted = slots ? slottedApi(api, slots, pageVisibility) : { api, join: undefined, pollReply: () => {} };
  const presets = new PresetList(api);
  const modelChoice = new ModelChoice(account, modelsQuery);
  const usualEffort = modelChoice.usualEffort();
  const openFolders = readOpenFolders(account);
  store.dispatch(chatEvents.organise({ openFolders, usualEffort }));
  store.dispatch(chatEvents.guide({ chat: null, change: { effort: usualEffort } }));
  const replies = new Replies(store, presets.before(slotted.api), slotted.join);
  const branches = { replies, edits: new Edits(drafts) };
  const deps = { account, store, replies, drafts, branches, modelChoice, presets, positions };
  const session = new ChatSession({ ...deps, storedSession: null });
  session.atEnd(
    () => slots?.dispose(),
    () => replies.dispose(),
    () => drafts.dispose(),
    () => modelChoice.dispose(),
  );
  // Before the account is known, there are no changes to follow.
  const followed = { session, drafts, replies, tabs, onReplyEnd: slotted.pollReply };
  if (account !== "") followAccount(followed);
  // Nothing of an account stays in memory after a logout.
  const unsubscribe = subscribeSession(() => {
    const { user, token, ended } = currentSession();
    if (token !== null && (user === null || user.id === account)) return;
    // After a logout, text that this page was sending must not be stored again.
    if (ended === "signed-out") drafts.close();
    session.dispose();
  });
  session.atEnd(unsubscribe);
  return session;
}

type Followed = {
  session: ChatSession;
  drafts: Drafts;
  replies: Replies;
  tabs: TabTools | null;
  onReplyEnd: (chat: string) => void;
};

/** Shows changes by other tabs and devices of the account. */
function followAccount({ session, drafts, replies, tabs, onReplyEnd }: Followed): void {
  const { account, store, modelChoice, presets } = session;
  const words = new SavedWords(account, drafts);
  const wordsIn = (chat: string | null) => drafts.get(chat).toStored() ?? "";
  const follower = new ChatsFollower({ store, api, page: pageVisibility, saveWords: words.save, onReplyEnd, wordsIn });
  const notices = new InstructionsNotices();
  let hasBeenLive = false;
  const events = new SharedEvents({
    api,
    account,
    tabs,
    page: pageVisibility,
    onChange: (event) => {
      if ("instructions" in event) notices.take(event.instructions);
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
  if (tabs)
    session.atEnd(followWaitingChats({ account, store, page: pageVisibility, tabs, isLeader: () => events.isLeader }));
  session.atEnd(
    () => events.dispose(),
    modelsQuery.observe(),
    onReturn((how) => {
      // The server may have restarted with other settings.
      if (how === "reconnected") void loadAuthConfig();
      // A short loss of the network may not break the event connection.
      else follower.readMissing();
    }),
    () => notices.dispose(),
    () => follower.dispose(),
    () => words.dispose(),
  );
}

/** Moves drafts with their chat: to the new chat that they were written for, and out of a deleted one. */
function moveDrafts(drafts: Drafts, event: unknown, { opening, currentChat }: ChatsState): void {
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
