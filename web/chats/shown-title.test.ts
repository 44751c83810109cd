import { afterEach, expect, test } from "vitest";
import { i18n } from "../locales/i18n.ts";
import { renameChat } from "./organise/change-chats.ts";
import { shownTitle } from "./shown-title.ts";
import { selectTitleOf } from "./state/chats-selectors.ts";
import { chatEvents } from "./state/chats-slice.ts";
import { createChatsStore } from "./state/chats-store.ts";

afterEach(() => i18n.changeLanguage("en"));

test("shows an untitled chat with a default title in the language of the interface", async () => {
  i18n.addResourceBundle("de", "chat", { sidebar: { newChat: "Neuer Chat" } });
  await i18n.changeLanguage("de");
  expect(shownTitle({ title: "New chat", isUntitled: true })).toBe("Neuer Chat");
  expect(shownTitle({ title: "New chat" })).toBe("New chat");
});

test("shows the title of a chat once the person or the first question has set it", async () => {
  const api = { patch: async () => null } as unknown as Parameters<typeof createChatsStore>[0];
  const store = createChatsStore(api);
  const { dispatch } = store;
  const untitled = { title: "New chat", isUntitled: true, updatedAt: 1, messages: [] };
  for (const id of ["a", "b"]) dispatch(chatEvents.createChatSuccess({ chat: { id, ...untitled } }));
  expect(store.getState().chats.chats.map(({ isUntitled }) => isUntitled)).toEqual([true, true]);
  await dispatch(renameChat("a", "New chat"));
  dispatch(chatEvents.sendMessageWithAiStream({ chat: "b", key: "k", text: "Tides?" }));
  dispatch(chatEvents.receiveStreamStart({ chat: "b", reply: "r", at: 2 }));
  const { chats, conversations } = store.getState().chats;
  expect(chats.filter(({ isUntitled }) => isUntitled)).toEqual([]);
  expect(Object.values(conversations).filter(({ isUntitled }) => isUntitled)).toEqual([]);
  expect(selectTitleOf("b")(store.getState())).toBe("Tides?");
});
