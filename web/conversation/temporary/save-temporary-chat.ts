import { paths } from "#contract/paths.ts";
import { api } from "../../api/client.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { rereadHistory } from "../../chats/state/chats-thunks.ts";
import { wordFailure } from "../../chats/state/word-failure.ts";
import { i18n } from "../../locales/i18n.ts";
import { TemporaryChatSaver } from "./temporary-chat-saver.ts";
import type { TemporarySession } from "./temporary-session.ts";

const keepers = new WeakMap<TemporarySession, TemporaryChatSaver>();

/**
 * Saves the temporary chat as a stored chat, with its draft, and begins a new one. Nothing is sent meanwhile.
 * @returns the id of the chat, or null after a failure: then the temporary chat stays, and the error is shown
 */
export async function saveTemporaryChat(session: TemporarySession): Promise<string | null> {
  const { store, kept, drafts } = session;
  const { currentChat, conversations, loading } = store.getState().chats;
  const conversation = currentChat === null ? undefined : conversations[currentChat];
  if (!conversation || conversation.isWriting || loading.includes("create")) return null;
  const keeper = keepers.get(session) ?? new TemporaryChatSaver(api);
  keepers.set(session, keeper);
  store.dispatch(chatEvents.clearError());
  store.dispatch(chatEvents.createChat());
  try {
    const chat = await keeper.keep(conversation.messages.filter(({ content }) => content.trim() !== ""));
    const presetId = conversation.presetId ?? null;
    // The preset may have been deleted: then the chat has none.
    if (presetId !== null) await api.patch(paths.chat(chat.id), { presetId }, null).catch(() => {});
    kept.store.dispatch(chatEvents.loadChatSuccess({ chat: { ...chat, ...(presetId !== null && { presetId }) } }));
    void kept.store.dispatch(rereadHistory()).catch(() => {});
    if (drafts.hasAny()) kept.drafts.set(chat.id, drafts.all());
    drafts.clear();
    session.beginAnew();
    return chat.id;
  } catch (cause) {
    const error = wordFailure(cause, i18n.t("temporary:failure"));
    store.dispatch(chatEvents.createChatFailure({ error }));
    return null;
  }
}
