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
  const problems = await filesOfSession(session)
    .at(chat)
    .add(files, textAt !== undefined);
  notifyRefused(problems, folders);
  const [file] = files;
  if (!file || textAt === undefined) return;
  if (problems.length === 0) offerText(session, chat, file, textAt);
  // The browser has not pasted the text itself.
  else insertText(session, chat, await file.text(), textAt);
}

function insertText({ drafts }: ChatSession, chat: string | null, words: string, at: number): void {
  const draft = drafts.get(chat);
  drafts.set(chat, draft.withText(draft.text.slice(0, at) + words + draft.text.slice(at)));
}

/** Offers to replace the file that was added last by its text, at a position of the box. */
function offerText(session: ChatSession, chat: string | null, file: File, at: number): void {
  const { drafts } = session;
  const id = drafts.get(chat).fileIds.at(-1) ?? "";
  const run = async () => {
    const pasted = await file.text();
    // It was sent or removed meanwhile.
    if (!drafts.get(chat).fileIds.includes(id)) return;
    filesOfSession(session).at(chat).remove(id, true);
    insertText(session, chat, pasted, at);
  };
  const action = { label: i18n.t("files:pasteAsText"), run: () => void run() };
  notify("info", i18n.t("files:pastedText", { name: file.name }), { durationMs: PASTE_MS, action });
}
