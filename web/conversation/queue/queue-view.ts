/** View of the queue of a chat. */

/**
 * `files`: their names. `next`: sent after the answer that is being written; `later`: after the message above it; `held`: only when the user
 * sends it.
 */
export type QueuedMessage = {
  draftKey: string;
  text: string;
  files: readonly string[];
  status: "next" | "later" | "held";
};
/** `canSend`: the chat accepts a message now. */
export type QueueView = { messages: readonly QueuedMessage[]; canSend: boolean };

export const EMPTY_VIEW: QueueView = { messages: [], canSend: false };
