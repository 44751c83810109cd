/** The files of messages that are sent. Loads the module of files only for a message that has some. */

import type { ChatSession } from "../chat-session.ts";
import type { Ticket } from "../stored-drafts.ts";
import { filesModule } from "./files-module.ts";

type FilesSession = Pick<ChatSession, "drafts" | "get">;

/** Resolves with whether all files of a draft are uploaded. Rejects with the signal's reason. */
export async function uploadFiles(
  session: FilesSession,
  draftKey: string | null,
  signal: AbortSignal,
): Promise<boolean> {
  if (session.drafts.get(draftKey).files.length === 0) return true;
  const module = await filesModule.ask();
  return (await module?.filesOfSession(session).upload(draftKey, signal)) ?? false;
}

/** Shows the pictures of a message that is being sent without reading them from the server. */
export function showFiles(session: FilesSession, { draft }: Pick<Ticket, "draft">): void {
  if (draft.files.length > 0) filesModule.get()?.filesOfSession(session).show(draft.files);
}

/** Applies the outcome of a send to the files of its message. */
export function settleFiles(
  session: FilesSession,
  { draft }: Pick<Ticket, "draft">,
  outcome: { isTaken: boolean; code?: string; file?: string },
): void {
  if (draft.files.length > 0) filesModule.get()?.filesOfSession(session).settle(draft.files, outcome);
}
