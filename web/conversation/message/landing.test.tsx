import { act, cleanup, render, screen } from "@testing-library/react";
import { useEffect, useRef } from "react";
import { Provider } from "react-redux";
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { errorSentences } from "#contract/errors.ts";
import { api } from "../../api/client.ts";
import { foundBy } from "../../chats/chat-address.ts";
import { selectCurrent, selectIsOpening } from "../../chats/state/chats-selectors.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { createChatsStore, useChatsSelector } from "../../chats/state/chats-store.ts";
import { useChatAddress } from "../../chats/use-chat-address.ts";
import { type FakeAnswer, type FakeCall, fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import "../../testing/english-texts.ts";
import { Replies } from "../../reply/replies.ts";
import { message } from "../../testing/replies-set-up.ts";
import { ChatSession, ChatSessionContext } from "../chat-session.ts";
import { Edits } from "../edits.ts";
import { openStoredSession } from "../stored-session.ts";
import { MessageList } from "./message-list.tsx";
import { SessionMessages } from "./session-messages.tsx";

const chatOf = (id: string, ...messages: Message[]) => ({
  json: { id, title: id, updatedAt: 1, messages },
});
const words = (id: string) => message(id, "assistant", `Words ${id}`);
const a = chatOf("a", words("a1"), words("a2"));
const b = chatOf("b", words("b1"), words("b2"));
const otherBranch = chatOf("b", words("b1"), words("b3"));
const stored = { "GET /chat/a": a, "GET /chat/b": b };

let go: NavigateFunction;
let address = "";

function Page() {
  useChatAddress();
  go = useNavigate();
  address = useLocation().search;
  const conversation = useChatsSelector(selectCurrent);
  const isOpening = useChatsSelector(selectIsOpening);
  const id = conversation?.id;
  const box = useRef<HTMLTextAreaElement>(null);
  // Takes the focus when a chat opens, like the real box.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another chat is the reason to take the focus
  useEffect(() => box.current?.focus(), [id]);
  return (
    <>
      {conversation && !isOpening && (
        <SessionMessages chat={conversation.id}>
          <MessageList conversation={conversation} chat={conversation.id} jumpSlot={box} />
        </SessionMessages>
      )}
      <textarea ref={box} />
    </>
  );
}

async function open(answers: Record<string, FakeAnswer | readonly FakeAnswer[]>) {
  const calls = fakeApi(answers);
  const store = createChatsStore();
  const replies = new Replies(store, api);
  const branches = { replies, edits: new Edits() };
  const session = new ChatSession({ ...openStoredSession(""), store, replies, branches });
  await act(async () => {
    render(
      <ChatSessionContext value={session}>
        <Provider store={store}>
          <MemoryRouter initialEntries={["/chat?c=a"]}>
            <Page />
          </MemoryRouter>
        </Provider>
      </ChatSessionContext>,
    );
  });
  await screen.findByText("Words a2");
  return { calls, store };
}

const visit = (to: string) => act(async () => void go(to));
const landed = (id: string) =>
  vi.waitFor(() => {
    expect(document.activeElement?.textContent).toContain(`Words ${id}`);
    expect(document.activeElement?.tagName).toBe("LI");
  });
const choices = (calls: readonly FakeCall[]) =>
  calls.filter(({ method }) => method === "POST").map(({ path, body }) => [path, body]);

beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("consecutive jumps on a page each scroll to the message of the chat in the address", async () => {
  const { calls } = await open(stored);
  await visit("/chat?c=b&m=b1");
  await landed("b1");
  await vi.waitFor(() => expect(address).toBe("?c=b"));
  await visit("/chat?c=a&m=a1");
  await landed("a1");
  await vi.waitFor(() => expect(address).toBe("?c=a"));
  expect(choices(calls)).toEqual([]);
});

test("landing on a message of another branch selects that branch, and no earlier request replaces it", async () => {
  const old = Promise.withResolvers<Response>();
  const { calls } = await open({
    ...stored,
    "GET /chat/b": [b, () => old.promise, otherBranch],
    "POST /chat/b/branch": otherBranch,
  });
  await visit("/chat?c=b");
  await screen.findByText("Words b2");
  await visit("/chat?c=b&m=b3");
  await landed("b3");
  expect(choices(calls)).toEqual([["/chat/b/branch", { message: "b3" }]]);
  await vi.waitFor(() => expect(address).toBe("?c=b"));
  await act(async () => old.resolve(new Response(JSON.stringify(b.json))));
  await vi.waitFor(() => expect(calls.filter(({ path }) => path === "/chat/b")).toHaveLength(4));
  expect(screen.queryByText("Words b2")).toBeNull();
});

test("a user who opens another chat while the branch of a link is chosen stays there", async () => {
  const answer = Promise.withResolvers<Response>();
  const { calls } = await open({ ...stored, "POST /chat/b/branch": () => answer.promise });
  await visit("/chat?c=b&m=gone");
  await vi.waitFor(() => expect(choices(calls)).toHaveLength(1));
  await visit("/chat?c=a");
  await screen.findByText("Words a2");
  await act(async () => answer.resolve(new Response(JSON.stringify({ code: "not-found" }), { status: 404 })));
  expect(address).toBe("?c=a");
  expect(screen.getByText("Words a2")).toBeTruthy();
});

test("a message that cannot be shown is reported, removed from the address, and the focus is not lost", async () => {
  const { store } = await open({ ...stored, "POST /chat/a/branch": problem(404, "not-found") });
  act(() => screen.getByRole("textbox").blur());
  await visit("/chat?c=a&m=gone");
  await vi.waitFor(() => expect(address).toBe("?c=a"));
  expect(store.getState().chats.error?.chat).toBe("a");
  expect(document.activeElement).toBe(screen.getByRole("region"));
});

test("a search hit has its matches marked until the chat is left; a link marks nothing", async () => {
  const highlights = new Map<string, unknown[]>();
  vi.stubGlobal("Highlight", Array);
  vi.stubGlobal(
    "StaticRange",
    class {
      constructor(init: StaticRangeInit) {
        Object.assign(this, init);
      }
    },
  );
  vi.stubGlobal("CSS", { supports: () => true, highlights });
  await open(stored);
  await visit("/chat?c=b&m=b1");
  await landed("b1");
  await act(async () => void go("/chat?c=a&m=a1", { state: foundBy("word") }));
  await landed("a1");
  await vi.waitFor(() => expect(highlights.get("search")).toHaveLength(1));
  await vi.waitFor(() => expect(address).toBe("?c=a"));
  expect(highlights.size).toBe(1);
  await visit("/chat?c=b");
  await screen.findByText("Words b2");
  expect(highlights.size).toBe(0);
});

test("a link during a running reply requests nothing, and the reason is shown", async () => {
  const { calls, store } = await open(stored);
  await act(async () => void store.dispatch(chatEvents.joinStream({ chat: "a" })));
  await visit("/chat?c=a&m=elsewhere");
  await vi.waitFor(() => expect(address).toBe("?c=a"));
  expect(choices(calls)).toEqual([]);
  expect(store.getState().chats.error?.text).toBe(errorSentences["reply-running"]);
});
