import { beforeEach, expect, test, vi } from "vitest";
import type { Chat, Message } from "#contract/conversation/conversation.ts";
import type { Api } from "../../api/client.ts";
import { message, openReplies } from "../../testing/replies-set-up.ts";
import { sessionOver } from "../../testing/session-over.ts";
import type { ChatSession } from "../chat-session.ts";
import { switchBranch } from "./switch-branch.ts";

const two = { alternatives: ["a1", "a2"] };
const question = message("q", "user", "One");
const first: Message[] = [question, { ...message("a1", "assistant", "First"), ...two }, message("n", "user", "Next")];
const second: Message[] = [question, { ...message("a2", "assistant", "Second"), ...two }];

let world: Awaited<ReturnType<typeof openReplies>>;
let session: ChatSession;
/** Choices that the server was asked for; the test answers them. */
let asked: { to: string; give: (messages: Message[]) => void; refuse: () => void }[];
let shows: number;
beforeEach(async () => {
  world = await openReplies(first);
  session = sessionOver(world);
  asked = [];
  shows = 0;
});

function choose(from: string, to: string): Promise<void> {
  const api = {
    post(_path: string, { message: wanted }: { message: string }) {
      const { promise, resolve, reject } = Promise.withResolvers<Chat>();
      const give = (messages: Message[]) => resolve({ id: "a", title: "T", updatedAt: 1, messages });
      asked.push({ to: wanted, give, refuse: () => reject(new Error("No.")) });
      return promise;
    },
  } as unknown as Api;
  return switchBranch({ session, replies: world.replies, api }, { chat: "a", from, to }, () => {
    shows += 1;
  });
}

async function answered(index: number) {
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(index));
  const one = asked[index];
  if (!one) throw new Error("Nothing was asked");
  return one;
}

test("a branch that is not cached replaces the other when the server has responded", async () => {
  const before = world.chats().conversations.a?.messages.map(({ key }) => key);
  const done = choose("a1", "a2");
  expect(world.words()).toEqual(["One", "First", "Next"]);
  (await answered(0)).give(second);
  await done;
  expect(asked[0]?.to).toBe("a2");
  expect(world.words()).toEqual(["One", "Second"]);
  expect(world.chats().conversations.a?.messages.map(({ key }) => key)).toEqual(before?.slice(0, 2));
  expect(shows).toBe(1);
});

test("a cached branch is shown at once, with all following messages", async () => {
  const there = choose("a1", "a2");
  (await answered(0)).give(second);
  await there;
  const back = choose("a2", "a1");
  expect(world.words()).toEqual(["One", "First", "Next"]);
  (await answered(1)).give(first);
  await back;
  expect(world.words()).toEqual(["One", "First", "Next"]);
});

test("a branch that the server refuses restores the former one, with an error", async () => {
  const there = choose("a1", "a2");
  (await answered(0)).give(second);
  await there;
  world.state.stored = second;
  const back = choose("a2", "a1");
  (await answered(1)).refuse();
  await back;
  expect(world.words()).toEqual(["One", "Second"]);
  expect(world.chats().error).toMatchObject({ chat: "a", text: "No." });
});

test("the last of several chosen branches wins, and the server receives them in order", async () => {
  const there = choose("a1", "a2");
  (await answered(0)).give(second);
  await there;
  const done = [choose("a2", "a1"), choose("a1", "a2")];
  expect(world.words()).toEqual(["One", "Second"]);
  (await answered(1)).give(first);
  (await answered(2)).give(second);
  await Promise.all(done);
  expect(asked.map(({ to }) => to)).toEqual(["a2", "a1", "a2"]);
  expect(world.words()).toEqual(["One", "Second"]);
});

test("no branch is chosen while a reply is running, and a deleted chat is not shown again", async () => {
  const done = choose("a1", "a2");
  const { give } = await answered(0);
  world.store.dispatch({ type: "chats/deleteChatSuccess", payload: { chat: "a" } });
  give(second);
  await done;
  expect(world.chats().conversations.a).toBeUndefined();
  await choose("a1", "a2");
  expect(asked).toHaveLength(1);
});
