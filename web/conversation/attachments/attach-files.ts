import { SECOND } from "#contract/limits.ts";
import { notifyRefused } from "../../files/attach/notify-refused.ts";
import { i18n } from "../../locales/i18n.ts";
import { notify } from "../../ui/notifications/notify.ts";
import type { ChatSession } from "../chat-session.ts";
import { filesOfSession } from "./session-files.ts";

/** `folders`: the number of folders that were dropped with the files. `textAt`: where a file was pasted as text. */
export type AttachOptions = { folders?: number; textAt?: number };

/** Time for which a pasted text can be brought back. */
const PASTE_MS = 20 * SECOND;

/** Adds files to the draft of a chat. A notification names the files that were refused at once. */
export async function attachFiles(
  session: ChatSession,
  chat: string | null,
  files: readonly File[],
  { folders, textAt }: AttachOptions = {},
): Promise<void> {
  const problems = await filesOfSession(session).at(chat).add(files);
  notifyRefused(problems, folders);
  const [file] = files;
  if (file && textAt !== undefined && problems.length === 0) offerText(session, chat, file, textAt);
}

/** Offers to replace the file that was added last by its text, at a position of the box. */
function offerText(session: ChatSession, chat: string | null, file: File, at: number): void {
  const { drafts } = session;
  const id = drafts.get(chat).fileIds.at(-1) ?? "";
  const run = async () => {
    const pasted = await file.text();
    const { text, fileIds } = drafts.get(chat);
    // It was sent or removed meanwhile.
    if (!fileIds.includes(id)) return;
    filesOfSession(session).at(chat).remove(id);
    drafts.set(chat, drafts.get(chat).withText(text.slice(0, at) + pasted + text.slice(at)));
  };
  const action = { label: i18n.t("files:pasteAsText"), run: () => void run() };
  notify("info", i18n.t("files:pastedText", { name: file.name }), { durationMs: PASTE_MS, action });
}
