import { isRunning } from "#contract/conversation/reply-state.ts";
import { SECOND } from "#contract/limits.ts";
import { selectCurrent } from "../../chats/state/chats-selectors.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { Conversation } from "../../chats/state/chats-state.ts";
import { i18n } from "../../locales/i18n.ts";
import { Store } from "../../store/store.ts";
import { closeNotification, notify } from "../../ui/notifications/notify.ts";
import { hasMessages, type SessionKey } from "../chat-session.ts";
import type { TemporarySession } from "./temporary-session.ts";

const UNDO_MS = 10 * SECOND;

/** Returns the id of the notification. */
function offerUndo(text: string, run: () => void): number {
  return notify("info", text, { durationMs: UNDO_MS, action: { label: i18n.t("temporary:undo"), run } });
}

/** Begins another temporary chat; Undo restores the former one. */
export function discardTemporary(session: TemporarySession): void {
  const said = selectCurrent(session.store.getState());
  session.beginAnew();
  if (!said || said.messages.length === 0) return;
  offerUndo(i18n.t("temporary:discarded"), () => {
    discardTemporary(session);
    restore(session, said);
  });
}

/** Restores the messages in a new chat; a running reply ends at its current text. */
function restore(
  { store }: TemporarySession,
  { messages, presetId = null, effort = null, tools = null }: Conversation,
): void {
  const chat = store.getState().chats.currentChat ?? "";
  for (const message of messages.filter(({ loading }) => !loading)) {
    const state = isRunning(message.state) ? "stopped" : message.state;
    store.dispatch(chatEvents.addMessage({ chat, message: { ...message, state } }));
  }
  store.dispatch(chatEvents.guide({ chat, change: { presetId, effort, tools } }));
}

/** Id of the notification that offered the return; null if there was none. */
const offer: SessionKey<Store<number | null>> = { create: () => new Store<number | null>(null) };

/** Offers to return to a temporary chat that has left the screen, if it has messages. */
export function offerReturn(session: TemporarySession, goBack: () => void): void {
  if (hasMessages(session)) session.get(offer).set(offerUndo(i18n.t("temporary:left"), goBack));
}

export function withdrawReturn(session: TemporarySession): void {
  const id = session.get(offer).get();
  if (id !== null) closeNotification(id);
}
