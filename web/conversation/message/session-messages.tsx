import { type ReactNode, useMemo } from "react";
import { MessageContext } from "../../message/message-context.ts";
import { useChatSession } from "../chat-session.ts";

type SessionMessagesProps = {
  /** Id of the chat; empty before the chat is created. */
  chat: string;
  children: ReactNode;
};

/** Provides the messages of a chat with the model names and the memory of the session. */
export function SessionMessages({ chat, children }: SessionMessagesProps) {
  const session = useChatSession();
  const value = useMemo(() => ({ chat, models: session.modelChoice, memory: session }), [session, chat]);
  return <MessageContext value={value}>{children}</MessageContext>;
}
