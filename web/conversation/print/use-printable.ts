import { useEffect, useState } from "react";
import { api } from "../../api/client.ts";
import { shownTitle } from "../../chats/shown-title.ts";
import type { ClientMessage, Conversation } from "../../chats/state/chats-state.ts";
import { readChat } from "../../chats/state/read-chat.ts";
import { takeStored } from "../../chats/state/stored-messages.ts";
import { i18n } from "../../locales/i18n.ts";
import { type ChatSession, useChatSession } from "../chat-session.ts";

/** A chat as it is printed. It does not change while the page is open. */
export type Printable = {
  title: string;
  messages: readonly ClientMessage[];
  /** Whether these are all messages of the shown branch. */
  isWhole: boolean;
  /** Whether the server has the chat. */
  isStored: boolean;
};

/** Returns the chat to print, from memory if the page has read it; undefined while it loads, null if that failed. */
export function usePrintable(chat: string): Printable | null | undefined {
  const session = useChatSession();
  const [printable, setPrintable] = useState<Printable | null | undefined>(() => inMemory(session, chat));
  const isKnown = printable !== undefined;
  useEffect(() => {
    if (isKnown) return;
    let isMounted = true;
    void load(session, chat).then((loaded) => isMounted && setPrintable(loaded));
    return () => {
      isMounted = false;
    };
  }, [session, chat, isKnown]);
  return printable;
}

function inMemory({ store, temporary }: ChatSession, chat: string): Printable | undefined {
  const conversation = store.getState().chats.conversations[chat];
  if (conversation?.isLoaded) return printableOf(conversation, true);
  const unsaved = temporary?.store.getState().chats.conversations[chat];
  return unsaved && { ...printableOf(unsaved, true), title: i18n.t("chat:temporary.name"), isStored: false };
}

async function load({ store }: ChatSession, chat: string): Promise<Printable | null> {
  try {
    const { messages, ...rest } = await readChat(api, chat);
    return printableOf({ ...rest, messages: takeStored([], messages) }, true);
  } catch {
    // Messages that were sent on this page, before the chat was first read.
    const conversation = store.getState().chats.conversations[chat];
    return conversation && conversation.messages.length > 0 ? printableOf(conversation, false) : null;
  }
}

function printableOf(
  {
    title,
    isUntitled = false,
    messages,
  }: Pick<Conversation, "title" | "messages"> & { isUntitled?: boolean | undefined },
  isWhole: boolean,
): Printable {
  return {
    title: shownTitle({ title, isUntitled }),
    messages: messages.filter(({ loading }) => !loading),
    isWhole,
    isStored: true,
  };
}
