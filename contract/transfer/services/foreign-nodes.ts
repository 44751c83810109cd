/** What the readers of nodes of other services have in common. */

import type { ForeignNode } from "./foreign-chat.ts";
import { idOf } from "./unknown-values.ts";

/** Returns an id as a string: services write strings, and some tools numbers; `""` for any other value. */
export const idTextOf = (value: unknown): string => idOf(value) ?? "";

/** Returns a value as JSON, and a string as it is. */
export function jsonOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // JSON.stringify recurses, JSON.parse does not: a value can be too deep to be written.
    return "";
  }
}

/** Drops the empty lines at both ends. Spaces before the first word stay, because they may mean code. */
export function withoutOuterLines(text: string): string {
  const first = text.search(/\S/);
  return first === -1 ? "" : text.slice(text.lastIndexOf("\n", first) + 1).trimEnd();
}

/** Returns the id of the newest node; of the last one in the file, if several are. */
export function newestOf(nodes: readonly ForeignNode[]): string | null {
  let newest: ForeignNode | undefined;
  for (const node of nodes) if ((node.createdAt ?? 0) >= (newest?.createdAt ?? 0)) newest = node;
  return newest?.id ?? null;
}

/** Returns the node of a value that has not the form of a message. */
export function brokenNode(id: string, parent: string | null): ForeignNode {
  return { id, parent, role: "assistant", pieces: [], createdAt: null, model: null, unreadable: "broken" };
}
