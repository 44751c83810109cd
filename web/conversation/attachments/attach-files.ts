import { currentAuthConfig } from "../../accounts/auth-config.ts";
import type { AddProblem } from "../../files/draft-files.ts";
import { i18n } from "../../locales/i18n.ts";
import { sizeText } from "../../locales/size-text.ts";
import { notify } from "../../ui/notifications/notify.ts";
import type { ChatSession } from "../chat-session.ts";
import { filesOfSession } from "./session-files.ts";

/** More names of refused files are left out of a notification. */
const MOST_NAMES = 3;

/** Adds files to the draft of a chat. Notifications name the files that were refused at once. */
export async function attachFiles(
  session: ChatSession,
  chat: string | null,
  files: readonly File[],
  folders: number,
): Promise<void> {
  const problems = await filesOfSession(session).at(chat).add(files);
  if (folders > 0) notify("error", i18n.t("files:folders"));
  const names = new Map<AddProblem["code"], string[]>();
  for (const { name, code } of problems) names.set(code, [...(names.get(code) ?? []), name]);
  for (const [code, all] of names) {
    const name = all.slice(0, MOST_NAMES).join(", ") + (all.length > MOST_NAMES ? "…" : "");
    notify("error", problemWords(code, name));
  }
}

/** The limits belong to the page: the server's sentence does not name them. */
function problemWords(code: AddProblem["code"], name: string): string {
  const { files: limits } = currentAuthConfig();
  if (limits && code === "too-many-files") return i18n.t("files:tooMany", { name, max: limits.maxPerMessage });
  if (limits && code === "file-too-large")
    return i18n.t("files:tooLarge", { name, size: sizeText(limits.maxBytes, i18n.language) });
  return i18n.t("files:problem", { name, reason: i18n.t(`errors:${code}`) });
}
