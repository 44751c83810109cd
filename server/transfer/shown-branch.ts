import { contentOf } from "../conversation/message-content.ts";
import { listBranchSizes, readMessages } from "../conversation/message-store.ts";
import type { MessageContent } from "../conversation/parts/message-part.ts";
import type { ChatRow, MessageRow } from "../database/schema.ts";
import type { ExportDeps } from "./export-json.ts";
import { toExportedMessage } from "./to-exported.ts";

/** A message as Markdown and HTML files show it. */
export type ShownMessage = {
  /** "You" or "Assistant". */
  who: string;
  /** Name of the model that wrote it, and when. */
  details: string;
  text: string;
  /** Explains why an answer is incomplete; empty if it is complete. */
  remark: string;
};

const remarks = {
  complete: "",
  writing: "",
  stopped: "This answer was stopped.",
  failed: "This answer broke off.",
  interrupted: "This answer was interrupted.",
} as const;

/** Yields the messages of the shown branch without parts, oldest first; reads them in pages. */
export async function* readShown(deps: ExportDeps, chat: ChatRow): AsyncGenerator<ShownMessage> {
  const sizes = await listBranchSizes(deps.database, chat.user_id, chat.leaf);
  for await (const rows of readMessages(deps.database, chat.user_id, sizes)) {
    for (const row of rows) yield toShown(row, await contentOf(deps, row));
  }
}

function toShown(row: MessageRow, words: MessageContent): ShownMessage {
  const { role, content, model, state, createdAt, isTruncated } = toExportedMessage(row, words);
  const name = model?.replace(/^[A-Z]+:/, "");
  return {
    who: role === "user" ? "You" : "Assistant",
    details: [...(name ? [name] : []), momentOf(createdAt)].join(" · "),
    text: content,
    remark: isTruncated ? "This answer stopped at the model’s limit of length." : remarks[state],
  };
}

/** Formats a time such as `2026-01-31 23:59 UTC`. The server does not know the reader's time zone. */
export function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
