import type { ChatScreen } from "./chat-screen.ts";

/** Imports chats, so that one request creates a long chat. @returns their ids, in their order */
export async function importChats(chat: ChatScreen, ...chats: readonly (readonly string[])[]): Promise<string[]> {
  const at = Date.UTC(2026, 0, 1);
  const before = new Set((await chat.history()).map(({ id }) => id));
  const documents = chats.map((contents, number) => ({
    id: `c${number}`,
    title: `Imported ${number + 1}`,
    titleOrigin: "person",
    createdAt: at,
    // The history lists the newest chat first.
    updatedAt: at - number,
    isPinned: false,
    isArchived: false,
    folder: null,
    instructions: "",
    preset: null,
    leaf: `m${contents.length - 1}`,
    messages: contents.map((content, place) => ({
      id: `m${place}`,
      parent: place === 0 ? null : `m${place - 1}`,
      role: place % 2 === 0 ? "user" : "assistant",
      content,
      state: "complete",
      model: null,
      createdAt: at + place,
      endedAt: at + place,
    })),
  }));
  const head = { format: "parley-export", version: 1, exportedAt: at, product: "Parley", folders: [], presets: [] };
  await chat.call("POST", "/import", { ...head, chats: documents });
  return (await chat.history()).map(({ id }) => id).filter((id) => !before.has(id));
}
