import type { ChatSession, SessionKey } from "../chat-session.ts";
import { MessageQueue } from "./message-queue.ts";
import { reportDrafts } from "./report-drafts.ts";

const messageQueue: SessionKey<MessageQueue> = {
  create: (session) => {
    const queue = new MessageQueue(session);
    if (!session.storedSession && session.account !== "") reportDrafts(session);
    return queue;
  },
  dispose: (queue) => queue.dispose(),
};

/** Returns the queue of a session; created on first use, when its drafts begin to be reported too. */
export const queueOf = (session: ChatSession): MessageQueue => session.get(messageQueue);
