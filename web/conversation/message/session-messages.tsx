import { type ReactNode, useMemo } from "react";
import { unsavedWords } from "../../accounts/session/unsaved-words.ts";
import { useChatsDispatch } from "../../chats/state/chats-store.ts";
import { MessageContext, type MessageContextValue } from "../../message/message-context.ts";
import { useChatSession } from "../chat-session.ts";

type SessionMessagesProps = {
  /** Id of the chat; empty before the chat is created. */
  chat: string;
  children: ReactNode;
};

/** Provides the messages of a chat with the model names and the memory of the session. */
export function SessionMessages({ chat, children }: SessionMessagesProps) {
  const session = useChatSession();
  const dispatch = useChatsDispatch();
  const value = useMemo((): MessageContextValue => {
    const decide: MessageContextValue["decide"] = async (request) => {
      const { decideCalls } = await import("../../chats/state/decide-calls.ts");
      return dispatch(decideCalls(chat, request));
    };
    const unsaved = unsavedWords(`tool:${chat}`);
    const formDraft = { read: unsaved.read, store: unsaved.keep };
    return { chat, models: session.modelChoice, memory: session, decide, formDraft };
  }, [session, chat, dispatch]);
  return <MessageContext value={value}>{children}</MessageContext>;
}
