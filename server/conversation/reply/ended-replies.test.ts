import { queryObjects } from "node:v8";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type ScriptedChat, startScriptedChat } from "../../../testing/chats/scripted-chat.ts";
import { readReply } from "../../../testing/http/read-events.ts";
import { GrowingReply } from "./live-reply.ts";

let chat: ScriptedChat;
beforeAll(async () => {
  chat = await startScriptedChat();
});
afterAll(() => chat[Symbol.asyncDispose]());
beforeEach(() => chat.renew());

/** Counts the reply objects that survive a garbage collection. */
const countReplies = () => queryObjects(GrowingReply, { format: "count" });

/** Runs `work` and waits until no more reply objects are reachable than before. */
async function expectReleased(work: () => Promise<void>): Promise<void> {
  const before = countReplies();
  await work();
  await vi.waitFor(() => expect(countReplies()).toBeLessThanOrEqual(before), { interval: 100 });
}

it("frees the memory of a reply after its end and the title of its chat", async () => {
  await expectReleased(async () => {
    for (let sent = 0; sent < 3; sent++) expect((await readReply(await chat.stream())).isDone).toBe(true);
    await vi.waitFor(() => expect(chat.provider.titles).toHaveLength(1));
  });
});

it("frees the memory of a reply that was stopped, that failed at the second call, or that got no title", async () => {
  chat.provider.titleScenario = "error-before-first-word";
  await expectReleased(async () => {
    const stopped = await chat.stream({ message: "[scenario:held]" });
    chat.provider.release("So far");
    await chat.call("POST", "/stop");
    await readReply(stopped);
    chat.provider.next("error-before-first-word", "error-before-first-word");
    expect((await readReply(await chat.stream())).failure).toBeDefined();
  });
});
