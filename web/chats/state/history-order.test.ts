import { expect, test } from "vitest";
import type { ChatListItem } from "#contract/conversation/chats.ts";
import { chatsReducer, chatEvents as on } from "./chats-slice.ts";
import { type ChatsState, initialChatsState } from "./chats-state.ts";
import { groupByLocation } from "./group-by-location.ts";

type Event = Parameters<typeof chatsReducer>[1];
const item = (id: string, updatedAt: number, more: Partial<ChatListItem> = {}) => ({
  id,
  title: id,
  updatedAt,
  ...more,
});
const after = (...events: Event[]): ChatsState => events.reduce(chatsReducer, initialChatsState);
const ids = ({ chats }: ChatsState) => chats.map(({ id }) => id).join("");

/** Chats c and d are read, older ones are not; a is pinned. */
const pinned = [item("a", 1, { isPinned: true })];
const read = on.loadHistorySuccess({ chats: [item("d", 4), item("c", 3)], hasMore: true, isNextPage: false, pinned });

test("lists a pinned chat older than the pages read, and inserts the next page before it", () => {
  const state = after(read);
  expect([ids(state), state.historyEnd]).toEqual(["dca", 3]);
  const page = on.loadHistorySuccess({ chats: [item("b", 2), item("a", 1)], hasMore: false, isNextPage: true });
  expect(ids(chatsReducer(state, page))).toBe("dcba");
});

test("omits a chat of a page that was not read, unless it is pinned or in an opened folder", () => {
  const old = item("b", 2);
  expect(ids(after(read, on.putChats({ chats: [old] })))).toBe("dca");
  expect(ids(after(read, on.putChats({ chats: [{ ...old, isPinned: true }] })))).toBe("dcba");
  const folderPages = { f: { end: 2, hasMore: true } };
  const filed = on.putChats({ chats: [{ ...old, folderId: "f" }] });
  expect(ids(after(read, on.organise({ folderPages }), filed))).toBe("dcba");
});

test("an archived chat leaves the list and returns to its position", () => {
  const archived = after(read, on.putChats({ chats: [item("c", 3, { isArchived: true })] }));
  expect(ids(archived)).toBe("da");
  expect(ids(chatsReducer(archived, on.putChats({ chats: [item("c", 3)] })))).toBe("dca");
});

test("a new read replaces the history, except older chats of opened folders", () => {
  const before = after(read, on.organise({ chats: [item("d", 4), item("b", 2, { folderId: "f" }), ...pinned] }));
  const again = on.loadHistorySuccess({ chats: [item("e", 5)], hasMore: true, isNextPage: false, pinned: [] });
  expect(ids(chatsReducer(before, again))).toBe("eb");
  const whole = on.loadHistorySuccess({ chats: [item("e", 5)], hasMore: false, isNextPage: false, pinned: [] });
  expect(ids(chatsReducer(before, whole))).toBe("e");
});

test("groups each chat once, and chats of deleted folders with the chats outside folders", () => {
  const chats = [
    item("p", 4, { isPinned: true, folderId: "f" }),
    item("f", 3, { folderId: "f" }),
    item("g", 2, { folderId: "x" }),
  ];
  const { pinned: top, filed, others } = groupByLocation(chats, [{ id: "f", name: "F" }]);
  expect([top, filed.get("f"), others].map((group) => group?.map(({ id }) => id))).toEqual([["p"], ["f"], ["g"]]);
});
