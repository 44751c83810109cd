import type { ChatSession } from "../chat-session.ts";
import { MessageQueue } from "./message-queue.ts";
import { reportDrafts } from "./report-drafts.ts";

const queues = new WeakMap<ChatSession, MessageQueue>();

/** Returns the queue of a session; created on first use, when its drafts begin to be reported too. */
export function queueOf(session: ChatSession): MessageQueue {
  const known = queues.get(session);
  if (known) return known;
  const queue = new MessageQueue(session);
  queues.set(session, queue);
  session.atEnd(() => queue.dispose());
  if (!session.storedSession && session.account !== "") reportDrafts(session);
  return queue;
}
