import { type Chat, chatSchema } from "#contract/conversation/conversation.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type Api, api } from "../../api/client.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { refreshChat } from "../../chats/state/chats-thunks.ts";
import { wordFailure } from "../../chats/state/word-failure.ts";
import { i18n } from "../../locales/i18n.ts";
import type { Replies } from "../../reply/replies.ts";
import type { SessionKey } from "../chat-session.ts";
import { type BranchSession, knownBranch, rememberBranch } from "./remembered-branches.ts";

/** The latest choice in each chat: responses to earlier ones are ignored. */
const latest: SessionKey<Map<string, { done: Promise<void> }>> = { create: () => new Map() };

export type SwitchDeps = { session: BranchSession; replies: Replies; api?: Api };

/**
 * Shows the branch through `to`, and has the server choose it. An optimistic update if the branch is cached, which
 * needs `from`, the shown message that it is an alternative to. Does nothing while a reply is running. `onShow`: called
 * just before the screen changes.
 */
export function switchBranch(
  { session, replies, api: calls = api }: SwitchDeps,
  { chat, from, to }: { chat: string; from?: string; to: string },
  onShow: () => void,
): Promise<void> {
  const { store } = session;
  const conversation = store.getState().chats.conversations[chat];
  if (!conversation || conversation.isWriting) return Promise.resolve();
  const before = conversation.messages;
  rememberBranch(session, chat);
  const show = (messages: readonly ClientMessage[]) => {
    onShow();
    store.dispatch(chatEvents.showBranch({ chat, messages }));
  };
  const known = from === undefined ? null : knownBranch(session, chat, before, from, to);
  if (known) show(known);
  const choices = session.get(latest);
  const earlier = choices.get(chat)?.done;
  const choice = { done: Promise.resolve() };
  choices.set(chat, choice);
  const idle = () => {
    const now = store.getState().chats.conversations[chat];
    return choices.get(chat) === choice && now !== undefined && !now.isWriting;
  };
  const choose = async () => {
    await earlier;
    try {
      const fresh: Chat = await calls.post(
        conversationPaths.chatBranch(encodeURIComponent(chat)),
        { message: to },
        chatSchema,
      );
      if (!idle()) return;
      onShow();
      store.dispatch(chatEvents.loadChatSuccess({ chat: fresh }));
      // Responses to requests sent before the choice are outdated.
      const messages = store.getState().chats.conversations[chat]?.messages ?? before;
      store.dispatch(chatEvents.showBranch({ chat, messages }));
    } catch (cause) {
      if (!idle()) return;
      if (known) show(before);
      store.dispatch(chatEvents.setError({ chat, error: wordFailure(cause, i18n.t("branches:failure")) }));
      await store.dispatch(refreshChat(chat)).catch(() => {});
    }
  };
  choice.done = choose();
  replies.delayNextSend(chat, choice.done);
  return choice.done;
}
