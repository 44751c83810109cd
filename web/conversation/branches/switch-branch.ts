import { type Chat, chatSchema } from "#contract/conversation.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../../api/client.ts";
import { chatEvents } from "../../chats/chats-slice.ts";
import type { ClientMessage } from "../../chats/chats-state.ts";
import type { Api, ChatsStore } from "../../chats/chats-store.ts";
import { refreshChat } from "../../chats/chats-thunks.ts";
import { wordFailure } from "../../chats/word-failure.ts";
import { i18n } from "../../locales/i18n.ts";
import type { Replies } from "../../reply/replies.ts";

/** Branches of a chat that this page remembers. */
const REMEMBERED = 20;

type Shown = readonly ClientMessage[];
/** What was shown of each chat, the latest last. */
const shownOf = new WeakMap<ChatsStore, Map<string, Shown[]>>();
/** The latest choice in each chat: what the server answers to an earlier one is not shown any more. */
const latest = new WeakMap<ChatsStore, Map<string, { done: Promise<void> }>>();

/** Keeps the branch that is shown, to be shown at once when somebody comes back to it. */
export function rememberBranch(store: ChatsStore, chat: string): void {
  const messages = store.getState().chats.conversations[chat]?.messages;
  if (!messages) return;
  const of = shownOf.get(store) ?? new Map<string, Shown[]>();
  shownOf.set(store, of.set(chat, [...(of.get(chat) ?? []), messages].slice(-REMEMBERED)));
}

/** As far as it is known, the branch through `to`, which stands beside a message that is shown. */
function knownBranch(store: ChatsStore, chat: string, shown: Shown, from: string, to: string): ClientMessage[] | null {
  const place = shown.findIndex(({ id }) => id === from);
  const branch = shownOf
    .get(store)
    ?.get(chat)
    ?.findLast((messages) => messages[place]?.id === to);
  if (!branch || place === -1) return null;
  return branch.slice(0).map((message, at) => {
    const there = shown[at];
    if (there && at < place) return there;
    // The message at the same place is the same one on the screen: what has the focus there keeps it.
    const key = there?.role === message.role ? there.key : message.key;
    const alternatives = at === place ? there?.alternatives : message.alternatives;
    return { ...message, key, ...(alternatives && { alternatives }) };
  });
}

export type SwitchDeps = { store: ChatsStore; replies: Replies; api?: Api };

/**
 * Shows the branch through `to`, and has the server choose it; at once where it is known, which asks for `from`, the
 * shown message that it stands beside. Does nothing while a reply is being written. `onShow`: called just before the
 * screen changes.
 */
export function switchBranch(
  { store, replies, api: calls = api }: SwitchDeps,
  { chat, from, to }: { chat: string; from?: string; to: string },
  onShow: () => void,
): Promise<void> {
  const conversation = store.getState().chats.conversations[chat];
  if (!conversation || conversation.isWriting) return Promise.resolve();
  const before = conversation.messages;
  rememberBranch(store, chat);
  const show = (messages: Shown) => {
    onShow();
    store.dispatch(chatEvents.showBranch({ chat, messages }));
  };
  const known = from === undefined ? null : knownBranch(store, chat, before, from, to);
  if (known) show(known);
  const choices = latest.get(store) ?? new Map<string, { done: Promise<void> }>();
  const earlier = choices.get(chat)?.done;
  const choice = { done: Promise.resolve() };
  latest.set(store, choices.set(chat, choice));
  const idle = () => {
    const now = store.getState().chats.conversations[chat];
    return choices.get(chat) === choice && now !== undefined && !now.isWriting;
  };
  const choose = async () => {
    await earlier;
    try {
      const fresh: Chat = await calls.post(paths.chatBranch(encodeURIComponent(chat)), { message: to }, chatSchema);
      if (!idle()) return;
      onShow();
      store.dispatch(chatEvents.loadChatSuccess({ chat: fresh }));
      // What was asked of the server before the choice is older than this.
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
  replies.goAhead(chat, choice.done);
  return choice.done;
}
