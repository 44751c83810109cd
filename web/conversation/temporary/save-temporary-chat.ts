import type { AppendRequest } from "#contract/conversation/conversation-calls.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { api } from "../../api/client.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { rereadHistory } from "../../chats/state/chats-thunks.ts";
import { filesOf } from "../../chats/state/file-parts.ts";
import { wordFailure } from "../../chats/state/word-failure.ts";
import { i18n } from "../../locales/i18n.ts";
import { filesModule } from "../attachments/files-module.ts";
import type { SessionKey } from "../chat-session.ts";
import { Draft } from "../draft.ts";
import { TemporaryChatSaver } from "./temporary-chat-saver.ts";
import type { TemporarySession } from "./temporary-session.ts";

const chatSaver: SessionKey<TemporaryChatSaver> = { create: () => new TemporaryChatSaver(api) };

/**
 * Saves the temporary chat as a stored chat, with its effort, tools, preset and draft, and begins a new one. Nothing is sent
 * meanwhile.
 * @returns the id of the chat, or null after a failure: then the temporary chat stays, and the error is shown
 */
export async function saveTemporaryChat(session: TemporarySession): Promise<string | null> {
  const { store, storedSession } = session;
  const { currentChat, conversations, loading } = store.getState().chats;
  const conversation = currentChat === null ? undefined : conversations[currentChat];
  if (!conversation || conversation.isWriting || loading.includes("create")) return null;
  const saver = session.get(chatSaver);
  store.dispatch(chatEvents.clearError());
  store.dispatch(chatEvents.createChat());
  try {
    const { messages, presetId = null, effort = null, tools = null } = conversation;
    const chat = await saver.save(messages.flatMap(toAppend), { effort, tools }, (ids) => uploadFiles(messages, ids));
    // The preset may have been deleted: then the chat has none.
    if (presetId !== null) await api.patch(conversationPaths.chat(chat.id), { presetId }, null).catch(() => {});
    await moveDrafts(session, chat.id);
    session.beginAnew();
    // Before the stored chat is shown, whose files have the same ids.
    filesModule.get()?.filesOfSession(session).forgetUnused();
    storedSession.store.dispatch(
      chatEvents.loadChatSuccess({ chat: { ...chat, ...(presetId !== null && { presetId }) } }),
    );
    void storedSession.store.dispatch(rereadHistory()).catch(() => {});
    return chat.id;
  } catch (cause) {
    const error = wordFailure(cause, i18n.t("temporary:failure"));
    store.dispatch(chatEvents.createChatFailure({ error }));
    return null;
  }
}

/** Moves what is written and queued to the box of the stored chat, with its files. */
async function moveDrafts(session: TemporarySession, chat: string): Promise<void> {
  const { storedSession, drafts } = session;
  const { text, files } = drafts.all();
  if (text !== "") storedSession.drafts.set(chat, new Draft(text));
  if (files.length > 0) {
    const module = await filesModule.ask();
    await module?.moveFiles({ from: session, draftKey: null, files }, { to: storedSession, draftKey: chat });
  }
  drafts.clear();
}

async function uploadFiles(messages: readonly ClientMessage[], ids: readonly string[]): Promise<void> {
  const files = messages.flatMap(filesOf).filter(({ id }) => ids.includes(id));
  const module = await filesModule.ask();
  if (!module) throw new Error(i18n.t("temporary:failure"));
  await module.uploadLocalFiles(files, new AbortController().signal);
}

/** Returns the request that stores a message with its files and parts; none for a message without any text or file. */
function toAppend(message: ClientMessage): AppendRequest[] {
  const { role, content, model } = message;
  const ids = filesOf(message).map(({ id }) => id);
  if (content.trim() === "" && ids.length === 0) return [];
  const parts = (message.parts ?? []).filter(({ kind }) => kind !== "file");
  const writer = typeof model === "string" && { model };
  return [{ role, content, ...writer, ...(ids.length > 0 && { files: ids }), ...(parts.length > 0 && { parts }) }];
}
