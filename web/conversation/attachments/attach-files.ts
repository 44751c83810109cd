import { notifyRefused } from "../../files/attach/notify-refused.ts";
import type { ChatSession } from "../chat-session.ts";
import { filesOfSession } from "./session-files.ts";

/** Adds files to the draft of a chat. A notification names the files that were refused at once. */
export async function attachFiles(
  session: ChatSession,
  chat: string | null,
  files: readonly File[],
  folders: number,
): Promise<void> {
  notifyRefused(await filesOfSession(session).at(chat).add(files), folders);
}
