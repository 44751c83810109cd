import type { ExportedChat, ExportedMessage } from "#contract/transfer.ts";

/** A chat whose messages do not hang together. */
export class BrokenTree extends Error {}

/**
 * The messages of a chat so that each comes after the one that it follows; else in the order of the file.
 * @throws BrokenTree where ids come twice, a message follows one that is not there or itself in the end, a person's
 * message is not complete, or the shown branch ends nowhere
 */
export function inTreeOrder({ leaf, messages }: Pick<ExportedChat, "leaf" | "messages">): ExportedMessage[] {
  const ids = new Set(messages.map(({ id }) => id));
  if (ids.size < messages.length) throw new BrokenTree("ids come twice");
  if (leaf !== null && !ids.has(leaf)) throw new BrokenTree("the shown branch ends nowhere");
  const followers = new Map<string | null, ExportedMessage[]>();
  for (const message of messages) {
    if (message.role === "user" && message.state !== "complete") throw new BrokenTree("a question is unfinished");
    const beside = followers.get(message.parent);
    if (beside) beside.push(message);
    else followers.set(message.parent, [message]);
  }
  const ordered: ExportedMessage[] = [...(followers.get(null) ?? [])];
  // Grows as it is walked: what nobody reaches follows something foreign, or goes in a circle.
  for (const { id } of ordered) ordered.push(...(followers.get(id) ?? []));
  if (ordered.length < messages.length) throw new BrokenTree("messages follow what is not there");
  return ordered;
}
