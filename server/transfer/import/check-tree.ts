import { isEmptyMessage } from "#contract/conversation/parts.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import { isFilePart } from "../../conversation/parts/message-part.ts";
import type { ChatToImport, MessageToImport } from "./chat-to-import.ts";

/** The messages of a chat do not form a tree. */
export class BrokenTree extends Error {}

/** Messages of a chat, parents before children, and the last message of the shown branch. */
export type Tree = { ordered: MessageToImport[]; leaf: string | null };

/**
 * Normalises the tree of an imported chat: removes empty messages, and attaches their followers to their parents. If
 * `leaf` does not exist, the newest branch is shown.
 * @param step yields to the event loop, called after each message
 * @throws BrokenTree if ids are duplicate, a parent is missing, messages form a cycle, or a question is not complete
 */
export async function treeOf(
  { leaf, messages }: Pick<ChatToImport, "leaf" | "messages">,
  step: () => Promise<void>,
): Promise<Tree> {
  const inOrder = await inTreeOrder(messages, step);
  const ordered: MessageToImport[] = [];
  /** Maps each message of the file to itself; a removed one to its nearest retained ancestor. */
  const newParents = new Map<string | null, string | null>([[null, null]]);
  for (const message of inOrder) {
    const parent = newParents.get(message.parent) ?? null;
    const isRetained = !isEmpty(message);
    newParents.set(message.id, isRetained ? message.id : parent);
    if (isRetained) ordered.push({ ...message, parent });
    await step();
  }
  return { ordered, leaf: newParents.get(leaf) ?? newestEnd(messages, newParents) };
}

/**
 * Whether a message is empty. Empty replies are not in a tree (`isInTree`), and would be swept with their followers.
 * Blank questions are not allowed without files.
 */
function isEmpty({ role, content, state, parts }: MessageToImport): boolean {
  if (role === "user") return content.trim() === "" && !parts.some(isFilePart);
  return isEmptyMessage({ content, parts }) && state !== "interrupted" && !isRunning(state);
}

async function inTreeOrder(
  messages: readonly MessageToImport[],
  step: () => Promise<void>,
): Promise<MessageToImport[]> {
  const ids = new Set(messages.map(({ id }) => id));
  if (ids.size < messages.length) throw new BrokenTree("duplicate ids");
  const followers = new Map<string | null, MessageToImport[]>();
  for (const message of messages) {
    if (message.role === "user" && message.state !== "complete") throw new BrokenTree("a question is unfinished");
    const beside = followers.get(message.parent);
    if (beside) beside.push(message);
    else followers.set(message.parent, [message]);
    await step();
  }
  const ordered: MessageToImport[] = [...(followers.get(null) ?? [])];
  // Breadth-first traversal: the array grows while it is iterated. Unreached messages lack a parent or form a cycle.
  for (const { id } of ordered) {
    for (const follower of followers.get(id) ?? []) ordered.push(follower);
    await step();
  }
  if (ordered.length < messages.length) throw new BrokenTree("a parent is missing, or parents form a cycle");
  return ordered;
}

/** Returns the newest message without a follower; among equal times, the last in the file. */
function newestEnd(
  messages: readonly MessageToImport[],
  newParents: ReadonlyMap<string | null, string | null>,
): string | null {
  const retained = messages.filter(({ id }) => newParents.get(id) === id);
  const followed = new Set(retained.map(({ parent }) => newParents.get(parent)));
  let end: MessageToImport | undefined;
  for (const message of retained) {
    if (!followed.has(message.id) && message.createdAt >= (end?.createdAt ?? 0)) end = message;
  }
  return end?.id ?? null;
}
