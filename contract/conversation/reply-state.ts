import type { Message, MessageState } from "./conversation.ts";
import { isOnlyFiles } from "./parts.ts";

/** State of a reply that a process is writing: it has an owner with a lease, and holds a slot of its account. */
export const RUNNING = "writing" satisfies MessageState;

/** Whether a process is writing the reply. */
export function isRunning(state: MessageState | undefined): state is typeof RUNNING {
  return state === RUNNING;
}

/** State of a reply that continues once a person has decided on its calls of tools: it has no owner and blocks nothing. */
export const WAITING = "waiting" satisfies MessageState;

/** Whether nothing can follow a message in this state: a chat has at most one such reply. */
export function blocksChat(state: MessageState | undefined): boolean {
  return isRunning(state);
}

/** Whether more text of the reply comes without a request for it, once a client joins its stream. */
export function willGrow(reply: Partial<Pick<Message, "state" | "resumes">> | undefined): boolean {
  return isRunning(reply?.state) || reply?.resumes === true;
}

/** Whether the rest of a reply that has ended can be requested. */
export function canContinue({
  state,
  content,
  parts = [],
  isTruncated = false,
}: Pick<Message, "state" | "content" | "isTruncated"> & { parts?: readonly { kind: string }[] | undefined }): boolean {
  if (state === WAITING || isOnlyFiles({ content, parts })) return false;
  if (state === "complete") return isTruncated;
  return state === "interrupted" || content !== "";
}
