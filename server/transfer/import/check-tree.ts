import type { ExportedChat, ExportedMessage } from "#contract/transfer.ts";

/** A chat whose messages do not hang together. */
export class BrokenTree extends Error {}

/** The messages of a chat so that each comes after the one that it follows, and the end of the branch that is shown. */
export type Tree = { ordered: ExportedMessage[]; leaf: string | null };

/**
 * The tree of a chat as it can be here: what is empty has left it, and what followed that hangs on what was before it.
 * A shown branch that ends nowhere is the newest one.
 * @throws BrokenTree where ids come twice, a message follows one that is not there or itself in the end, or a person's
 * message is not complete
 */
export function treeOf({ leaf, messages }: Pick<ExportedChat, "leaf" | "messages">): Tree {
  const inOrder = inTreeOrder(messages);
  const ordered: ExportedMessage[] = [];
  /** What stands in the tree for each message of the file: itself, or what was before it. */
  const newParents = new Map<string | null, string | null>([[null, null]]);
  for (const message of inOrder) {
    const parent = newParents.get(message.parent) ?? null;
    const isRetained = !isEmpty(message);
    newParents.set(message.id, isRetained ? message.id : parent);
    if (isRetained) ordered.push({ ...message, parent });
  }
  return { ordered, leaf: newParents.get(leaf) ?? newestEnd(messages, newParents) };
}

/** Replies without a word are no part of a tree (`isInTree`) and would be swept with what follows them; questions have words. */
function isEmpty({ role, content, state }: ExportedMessage): boolean {
  if (role === "user") return content.trim() === "";
  return content === "" && state !== "interrupted" && state !== "writing";
}

function inTreeOrder(messages: readonly ExportedMessage[]): ExportedMessage[] {
  const ids = new Set(messages.map(({ id }) => id));
  if (ids.size < messages.length) throw new BrokenTree("ids come twice");
  const followers = new Map<string | null, ExportedMessage[]>();
  for (const message of messages) {
    if (message.role === "user" && message.state !== "complete") throw new BrokenTree("a question is unfinished");
    const beside = followers.get(message.parent);
    if (beside) beside.push(message);
    else followers.set(message.parent, [message]);
  }
  const ordered: ExportedMessage[] = [...(followers.get(null) ?? [])];
  // Grows as it is walked: what nobody reaches follows something foreign, or goes in a circle.
  for (const { id } of ordered) for (const follower of followers.get(id) ?? []) ordered.push(follower);
  if (ordered.length < messages.length) throw new BrokenTree("messages follow what is not there");
  return ordered;
}

/** The newest message without a follower; among equal times, the last in the file. */
function newestEnd(
  messages: readonly ExportedMessage[],
  newParents: ReadonlyMap<string | null, string | null>,
): string | null {
  const retained = messages.filter(({ id }) => newParents.get(id) === id);
  const followed = new Set(retained.map(({ parent }) => newParents.get(parent)));
  let end: ExportedMessage | undefined;
  for (const message of retained) {
    if (!followed.has(message.id) && message.createdAt >= (end?.createdAt ?? 0)) end = message;
  }
  return end?.id ?? null;
}
