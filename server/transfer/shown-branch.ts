import { listBranchSizes, readMessages } from "../conversation/message-store.ts";
import type { ChatRow, MessageRow } from "../database/schema.ts";
import { type ExportDeps, textOf } from "./export-json.ts";
import { toExportedMessage } from "./to-exported.ts";

/** A message as papers show it. */
export type ShownMessage = {
  /** "You" or "Assistant". */
  who: string;
  /** Name of the model that wrote it, and when. */
  details: string;
  text: string;
  /** What is to be said of an answer that did not come to its end; empty where it did. */
  remark: string;
};

const remarks = {
  complete: "",
  writing: "",
  stopped: "This answer was stopped.",
  failed: "This answer broke off.",
  interrupted: "This answer was interrupted.",
} as const;

/** Reads the messages of a chat that are shown, oldest first, a page at a time. */
export async function* readShown(deps: ExportDeps, chat: ChatRow): AsyncGenerator<ShownMessage> {
  const sizes = await listBranchSizes(deps.database, chat.user_id, chat.leaf);
  for await (const rows of readMessages(deps.database, chat.user_id, sizes)) {
    for (const row of rows) yield toShown(row, await textOf(deps, row));
  }
}

function toShown(row: MessageRow, words: string): ShownMessage {
  const { role, content, model, state, createdAt, isTruncated } = toExportedMessage(row, words);
  const name = model?.replace(/^[A-Z]+:/, "");
  return {
    who: role === "user" ? "You" : "Assistant",
    details: [...(name ? [name] : []), momentOf(createdAt)].join(" · "),
    text: content,
    remark: isTruncated ? "This answer stopped at the model’s limit of length." : remarks[state],
  };
}

/** E.g. `2026-01-31 23:59 UTC`: the server does not know its reader's clock. */
export function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
