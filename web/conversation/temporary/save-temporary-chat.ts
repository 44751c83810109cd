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
 * Turns the temporary chat into one that is kept, with what stands in its box, and begins a new one. Nothing is sent
 * meanwhile.
 * @returns the id of the chat, or null where it could not be kept: then it is still here, and the error is told
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
    // It may be gone by now: then the chat has none.
    if (presetId !== null) await api.patch(paths.chat(chat.id), { presetId }, null).catch(() => {});
    kept.store.dispatch(chatEvents.loadChatSuccess({ chat: { ...chat, ...(presetId !== null && { presetId }) } }));
    void kept.store.dispatch(rereadHistory()).catch(() => {});
    if (drafts.hasAny()) kept.drafts.set(chat.id, drafts.get(null));
    drafts.clear();
    session.beginAnew();
    return chat.id;
  } catch (cause) {
    const error = wordFailure(cause, i18n.t("temporary:failure"));
    store.dispatch(chatEvents.createChatFailure({ error }));
    return null;
  }
}
