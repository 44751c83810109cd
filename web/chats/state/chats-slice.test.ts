import { describe, expect, test } from "vitest";
import { NEW_CHAT_TITLE } from "#contract/conversation/chats.ts";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import { selectHasNoChats } from "./chats-selectors.ts";
import { chatsReducer, chatEvents as on } from "./chats-slice.ts";
import { type ChatsState, initialChatsState } from "./chats-state.ts";

type Event = Parameters<typeof chatsReducer>[1];

const item = (id: string) => ({ id, title: `Title ${id}`, updatedAt: 1 });
const chat = (id: string, messages: Message[] = []): Chat => ({ ...item(id), messages });
const stateAfter = (...events: Event[]): ChatsState => events.reduce(chatsReducer, initialChatsState);

function message(
  id: string,
  role: "user" | "assistant",
  content: string,
  state: Message["state"] = "complete",
): Message {
  return { id, role, content, state, parent: null, model: null, createdAt: 1 };
}

const history = on.loadHistorySuccess({ chats: [item("a"), item("b")], hasMore: false, isNextPage: false });
const open = (id: string, messages?: Message[]) => [
  on.loadChat({ chat: id }),
  on.loadChatSuccess({ chat: chat(id, messages) }),
];
const send = on.sendMessageWithAiStream({ chat: "a", key: "k", text: "Hello" });
const token = (text: string, id = "a") => on.receiveStreamToken({ chat: id, token: text });
const fail = (isUnsent = false) => on.failStream({ chat: "a", error: "No", isUnsent });
const contents = (state: ChatsState, id: string) => state.conversations[id]?.messages.map((each) => each.content);

test("keeps the objects of unchanged messages when a chat is read again", () => {
  const seams = { ...message("2", "assistant", "Hi"), seams: [1] };
  const first = [message("1", "user", "Hello"), seams];
  const shown = stateAfter(...open("a", first));
  const again = chatsReducer(shown, on.loadChatSuccess({ chat: chat("a", structuredClone(first)) }));
  expect(again.conversations.a?.messages).toBe(shown.conversations.a?.messages);
  const changed = [...structuredClone(first).slice(0, 1), { ...seams, content: "Hi!" }];
  const now = chatsReducer(shown, on.loadChatSuccess({ chat: chat("a", changed) }));
  expect(now.conversations.a?.messages[0]).toBe(shown.conversations.a?.messages[0]);
  expect(contents(now, "a")).toEqual(["Hello", "Hi!"]);
});

describe("reads of the history", () => {
  test("a read of the history clears the error, and its success stores the chats", () => {
    const loading = stateAfter(on.loadHistoryFailure({ error: "No" }), on.loadHistory());
    expect(loading).toMatchObject({ loading: ["history"], error: null });
    expect(chatsReducer(loading, history)).toMatchObject({ loading: [], chats: [item("a"), item("b")] });
  });

  test("a failed read of the history stores the error", () => {
    const state = stateAfter(on.loadHistory(), on.loadHistoryFailure({ error: "No" }));
    expect(state).toMatchObject({ loading: [], error: { text: "No", chat: null } });
  });

  test("the history is known to be empty only once it was read", () => {
    const failed = stateAfter(on.loadHistory(), on.loadHistoryFailure({ error: "No" }));
    expect(selectHasNoChats({ chats: failed })).toBe(false);
    const read = stateAfter(on.loadHistorySuccess({ chats: [], hasMore: false, isNextPage: false }));
    expect(selectHasNoChats({ chats: read })).toBe(true);
    expect(selectHasNoChats({ chats: stateAfter(history) })).toBe(false);
  });

  test("the next page of the history is appended, without duplicates", () => {
    const page = on.loadHistorySuccess({ chats: [item("b"), item("c")], hasMore: true, isNextPage: true });
    const state = stateAfter(history, page);
    expect(state.chats.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(state.hasMoreChats).toBe(true);
  });
});

describe("the selection of a chat", () => {
  test("selecting a chat loads it, then makes it current", () => {
    const loading = stateAfter(history, on.loadChat({ chat: "a" }));
    expect(loading).toMatchObject({ loading: ["open:a"], opening: "a", currentChat: null });
    expect(chatsReducer(loading, on.loadChatSuccess({ chat: chat("a") }))).toMatchObject({
      loading: [],
      opening: null,
      currentChat: "a",
    });
  });

  test("a chat that cannot be read sets the error and leaves the current chat", () => {
    const state = stateAfter(
      ...open("a"),
      on.loadChat({ chat: "b" }),
      on.loadChatFailure({ chat: "b", error: "No", isGone: false }),
    );
    expect(state).toMatchObject({ loading: [], opening: null, currentChat: "a", error: { text: "No" } });
  });

  test("a chat that does not exist shows the welcome screen with a sentence, which opening another chat clears", () => {
    const state = stateAfter(
      ...open("a"),
      on.loadChat({ chat: "x" }),
      on.loadChatFailure({ chat: "x", error: "Gone", isGone: true }),
    );
    expect(state).toMatchObject({ loading: [], currentChat: null, missing: { chat: null }, error: { text: "Gone" } });
    expect(chatsReducer(state, on.loadChat({ chat: "a" })).error).toBeNull();
  });

  test("a slow response does not replace a later choice of a chat", () => {
    const state = stateAfter(on.loadChat({ chat: "a" }), ...open("b"), on.loadChatSuccess({ chat: chat("a") }));
    expect(state.currentChat).toBe("b");
    expect(state.conversations.a?.isLoaded).toBe(true);
  });
});

describe("the creation of a chat", () => {
  test("a new chat is put on top, becomes current and changes the address", () => {
    const loading = stateAfter(history, on.createChat());
    expect(loading.loading).toEqual(["create"]);
    const state = chatsReducer(loading, on.createChatSuccess({ chat: chat("n") }));
    expect(state.chats.map(({ id }) => id)).toEqual(["n", "a", "b"]);
    expect(state).toMatchObject({ loading: [], currentChat: "n", destination: { chat: "n", replace: false } });
  });

  test("a failed creation of a chat sets the error", () => {
    const state = stateAfter(on.createChat(), on.createChatFailure({ error: "No" }));
    expect(state).toMatchObject({ loading: [], error: { text: "No", chat: null } });
  });
});

describe("streamed sends", () => {
  test("a streamed send appends both messages at once, sets loading and clears the error", () => {
    const state = stateAfter(history, ...open("a"), on.setError({ chat: "a", error: "No" }), send);
    expect(state).toMatchObject({ loading: ["send:a"], error: null });
    expect(state.conversations.a).toMatchObject({
      isWriting: true,
      messages: [
        { role: "user", content: "Hello", loading: false },
        { role: "assistant", content: "", loading: true, state: "writing" },
      ],
    });
  });

  test("a streamed send moves its chat to the top of the history once the server writes", () => {
    const sent = stateAfter(
      history,
      ...open("b"),
      on.loadChatSuccess({ chat: { id: "b", title: NEW_CHAT_TITLE, updatedAt: 1, messages: [] } }),
      on.sendMessageWithAiStream({ chat: "b", key: "k", text: "So  it\nis" }),
    );
    expect(sent.chats.map(({ id }) => id)).toEqual(["a", "b"]);
    const state = chatsReducer(sent, on.receiveStreamStart({ chat: "b", reply: "r", at: 9 }));
    expect(state.chats).toEqual([{ id: "b", title: "So it is", updatedAt: 9 }, item("a")]);
    expect(state.conversations.b?.messages[1]?.id).toBe("r");
  });

  test("each token is appended to the last reply and clears its loading flag", () => {
    const state = stateAfter(...open("a"), send, token("Hi"), token(" there"));
    expect(state.conversations.a?.messages[1]).toMatchObject({ content: "Hi there", loading: false });
  });

  test("tokens of a chat that is not open are stored in their chat", () => {
    const state = stateAfter(...open("a"), send, ...open("b"), token("Hi"));
    expect(state.currentChat).toBe("b");
    expect(contents(state, "a")).toEqual(["Hello", "Hi"]);
    expect(contents(state, "b")).toEqual([]);
  });

  test("the completion of a reply ends loading, and the re-read chat keeps the keys of its messages", () => {
    const done = stateAfter(...open("a"), send, token("Hi"), on.completeStream({ chat: "a" }));
    expect(done).toMatchObject({ loading: [], conversations: { a: { isWriting: false } } });
    const stored = [message("q1", "user", "Hello"), message("r1", "assistant", "Hi!")];
    const state = chatsReducer(done, on.loadChatSuccess({ chat: chat("a", stored) }));
    expect(contents(state, "a")).toEqual(["Hello", "Hi!"]);
    expect(state.conversations.a?.messages.map(({ key, id }) => [key, id])).toEqual([
      ["k-question", "q1"],
      ["k-reply", "r1"],
    ]);
  });

  test("the re-read of a chat that is no longer current leaves the current one", () => {
    const state = stateAfter(
      ...open("a"),
      send,
      ...open("b"),
      on.completeStream({ chat: "a" }),
      on.loadChatSuccess({ chat: chat("a") }),
    );
    expect(state.currentChat).toBe("b");
  });

  test("a chat read while its reply is being followed loses no text", () => {
    const state = stateAfter(...open("a"), send, token("Hi"), on.loadChatSuccess({ chat: chat("a") }));
    expect(contents(state, "a")).toEqual(["Hello", "Hi"]);
  });

  test("a failure before the first token removes the reply, sets the error and ends loading", () => {
    const state = stateAfter(...open("a"), send, fail());
    expect(state).toMatchObject({ loading: [], error: { text: "No", chat: "a" } });
    expect(contents(state, "a")).toEqual(["Hello"]);
  });

  test("a failure after the first token keeps the text", () => {
    const state = stateAfter(...open("a"), send, token("Hi"), fail());
    expect(state.conversations.a?.messages[1]).toMatchObject({ content: "Hi", state: "failed" });
    expect(state.conversations.a?.isWriting).toBe(false);
  });

  test("a message that the server did not accept is removed", () => {
    const before = [message("q0", "user", "Earlier")];
    expect(contents(stateAfter(...open("a", before), send, fail(true)), "a")).toEqual(["Earlier"]);
  });

  test("a joined reply continues after its text", () => {
    const before = [message("q", "user", "Q"), message("r", "assistant", "Hal", "writing")];
    const state = stateAfter(...open("a", before), on.joinStream({ chat: "a" }), token("lo"));
    expect(state.loading).toEqual(["send:a"]);
    expect(contents(state, "a")).toEqual(["Q", "Hallo"]);
  });

  test("a joined reply without text is loading", () => {
    const state = stateAfter(...open("a", [message("r", "assistant", "", "writing")]));
    expect(state.conversations.a?.messages[0]?.loading).toBe(true);
  });
});

describe("sends without a stream", () => {
  const response = { user_message: message("q", "user", "Hello"), ai_response: message("r", "assistant", "Hi") };

  test("a send without a stream appends both messages", () => {
    const loading = stateAfter(...open("a"), on.sendMessageWithAi({ chat: "a" }));
    expect(loading).toMatchObject({ loading: ["send:a"], error: null });
    const event = on.sendMessageWithAiSuccess({ chat: "a", response: { ...response, error: null } });
    const state = chatsReducer(loading, event);
    expect(contents(state, "a")).toEqual(["Hello", "Hi"]);
    expect(state).toMatchObject({ loading: [], error: null });
  });

  test("a send without a stream takes the error from the response", () => {
    const failed = { ...response, ai_response: null, error: "Busy" };
    const state = stateAfter(...open("a"), on.sendMessageWithAiSuccess({ chat: "a", response: failed }));
    expect(contents(state, "a")).toEqual(["Hello"]);
    expect(state.error).toEqual({ text: "Busy", chat: "a" });
  });
});

describe("deletions", () => {
  const remove = (id: string) => [on.deleteChat({ chat: id }), on.deleteChatSuccess({ chat: id })];

  test("deleting another chat does not change the current one", () => {
    const state = stateAfter(history, ...open("b"), ...remove("a"));
    expect(state).toMatchObject({ loading: [], chats: [item("b")], currentChat: "b", destination: null });
  });

  test("deleting the current chat makes the first remaining chat current, or none", () => {
    const one = stateAfter(history, ...open("a"), ...remove("a"));
    expect(one).toMatchObject({ currentChat: "b", destination: { chat: "b", replace: true } });
    expect(remove("b").reduce(chatsReducer, one)).toMatchObject({ chats: [], currentChat: null });
  });

  test("deleting the current chat makes the first one of the list as it is shown current", () => {
    const chats = [
      item("new"),
      item("other"),
      { ...item("filed"), folderId: "f" },
      { ...item("in-open"), folderId: "g" },
      { ...item("pinned"), isPinned: true },
    ];
    const folders = ["f", "g"].map((id) => ({ id, name: id }));
    const listed = { ...stateAfter(on.putChats({ chats })), folders, openFolders: ["g"] };
    const order: (string | null)[] = [];
    let state = [...open("new")].reduce(chatsReducer, listed);
    for (let count = 0; count < chats.length; count++) {
      const current = state.currentChat ?? "";
      state = remove(current).reduce(chatsReducer, state);
      order.push(state.currentChat);
    }
    expect(order).toEqual(["pinned", "in-open", "other", "filed", null]);
  });

  test("deleting a chat opens the next one if it is not loaded, and the welcome screen if it cannot be read", () => {
    const unread = stateAfter(history, ...open("a"), ...remove("a"));
    expect(unread).toMatchObject({ currentChat: "b", opening: "b" });
    const failed = chatsReducer(unread, on.loadChatFailure({ chat: "b", error: "No", isGone: false }));
    expect(failed).toMatchObject({ currentChat: null, opening: null, error: { text: "No" } });
    const read = stateAfter(history, ...open("b"), ...open("a"), ...remove("a"));
    expect(read).toMatchObject({ currentChat: "b", opening: null });
  });

  test("deleting a chat does not stop the opening of another one", () => {
    const state = stateAfter(history, ...open("a"), on.loadChat({ chat: "x" }), ...remove("a"));
    expect(state).toMatchObject({ opening: "x", destination: { chat: "x" } });
  });

  test("deleting a chat that is being opened leaves the current one open", () => {
    const state = stateAfter(history, ...open("a"), on.loadChat({ chat: "b" }), ...remove("b"));
    expect(state).toMatchObject({ currentChat: "a", opening: null, destination: { chat: "a", replace: true } });
  });

  test("later events for a deleted chat are ignored", () => {
    const state = stateAfter(
      history,
      ...open("a"),
      send,
      ...remove("a"),
      token("Hi"),
      on.completeStream({ chat: "a" }),
    );
    expect(state.conversations.a).toBeUndefined();
    expect(state.loading).toEqual([]);
  });

  test("a failed deletion of a chat sets the error", () => {
    const state = stateAfter(history, on.deleteChat({ chat: "a" }), on.deleteChatFailure({ chat: "a", error: "No" }));
    expect(state).toMatchObject({ loading: [], error: { text: "No", chat: null } });
    expect(state.chats).toHaveLength(2);
  });
});

test("a message can be added by itself", () => {
  const added = { key: "m", id: null, role: "user", content: "Note", state: "complete", loading: false } as const;
  expect(contents(stateAfter(...open("a"), on.addMessage({ chat: "a", message: added })), "a")).toEqual(["Note"]);
});

test("loading can be set and unset by name", () => {
  const loading = stateAfter(on.setLoading({ work: "history", isLoading: true }));
  expect(loading.loading).toEqual(["history"]);
  expect(chatsReducer(loading, on.setLoading({ work: "history", isLoading: false })).loading).toEqual([]);
});

test("dismissing the banner clears the error", () => {
  expect(stateAfter(on.loadHistoryFailure({ error: "No" }), on.clearError()).error).toBeNull();
});
