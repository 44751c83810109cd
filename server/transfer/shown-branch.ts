import { listBranch } from "../conversation/message-store.ts";
import type { ChatRow } from "../database/schema.ts";
import { type ExportGround, textOf } from "./export-json.ts";
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

/** The messages of a chat that are shown, oldest first. */
export async function listShown(ground: ExportGround, chat: ChatRow): Promise<ShownMessage[]> {
  const rows = await listBranch(ground.database, chat.user_id, chat.leaf);
  return Promise.all(
    rows.map(async (row) => {
      const { role, content, model, state, createdAt, isTruncated } = toExportedMessage(row, await textOf(ground, row));
      const name = model?.replace(/^[A-Z]+:/, "");
      return {
        who: role === "user" ? "You" : "Assistant",
        details: [...(name ? [name] : []), momentOf(createdAt)].join(" · "),
        text: content,
        remark: isTruncated ? "This answer stopped at the model’s limit of length." : remarks[state],
      };
    }),
  );
}

/** E.g. `2026-01-31 23:59 UTC`: the server does not know its reader's clock. */
export function momentOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
