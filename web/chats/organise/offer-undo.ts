import type { ChatListItem } from "#contract/conversation/chats.ts";
import { i18n } from "../../locales/i18n.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { notifyCounted, UNDO_MS } from "../../ui/notifications/notify-counted.ts";
import { shownTitle } from "../shown-title.ts";

/** Shows a notification of an action with a button that undoes it. */
export function offerUndo(text: string, undo: () => void): void {
  notify("info", text, { durationMs: UNDO_MS, action: { label: i18n.t("organise:told.undo"), run: undo } });
}

type Outcome = {
  kind: "deleted" | "archived" | "unarchived" | "moved";
  chats: readonly Pick<ChatListItem, "title" | "isUntitled">[];
  /** Name of the folder to which the chats were moved. */
  folder?: string;
};

/** Offers to undo a change of chats: names a single one, and counts those of several changes of one kind. */
export function offerChatsUndo({ kind, chats, folder: name = "" }: Outcome, undo: () => void): void {
  const word = (count: number) => i18n.t(`organise:told.${kind}`, { count, name });
  const [only] = chats.length === 1 ? chats : [];
  const text = only ? i18n.t(`organise:told.named.${kind}`, { title: shownTitle(only), name }) : word(chats.length);
  const action = { label: i18n.t("organise:told.undo"), run: undo };
  notifyCounted(text, { kind: `${kind} ${name}`, count: chats.length, word, undo: action });
}
