import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import { loadAuthConfig } from "../../accounts/auth-config.ts";
import { filesOf, toFileParts } from "../../chats/state/file-parts.ts";
import { fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import { FakeFiles } from "../../testing/fakes/fake-files.ts";
import { bodyOf, DONE, endless, message, openReplies, start, stream, token } from "../../testing/replies-set-up.ts";
import { sessionOver } from "../../testing/session-over.ts";
import { filesModule } from "../attachments/files-module.ts";
import { Draft } from "../draft.ts";
import { Drafts } from "../stored-drafts.ts";
import { MessageQueue } from "./message-queue.ts";

vi.mock("../../files/upload/upload-transport.ts", () => ({
  xhrTransport: () => (url: string, request: RequestInit) => fetch(url, request),
}));

const CONFIG = {
  ...{ productName: "P", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true },
  files: { maxBytes: 1000, maxPerMessage: 10 },
};
const FIRST: Message[] = [message("q0", "user", "The question"), message("r0", "assistant", "The answer")];
const ends: (() => void)[] = [];
let server = new FakeFiles();

beforeEach(async () => {
  localStorage.clear();
  fakeApi({ "GET /auth/config": { json: CONFIG } });
  await loadAuthConfig();
  server = new FakeFiles();
  vi.stubGlobal("fetch", server.fetch);
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  vi.unstubAllGlobals();
});

/** Opens chat `a`, in which an answer is being written. */
async function openTab(stored: Message[] = FIRST) {
  const tab = await openReplies(stored);
  const { store, replies, answers, state } = tab;
  const drafts = new Drafts("ada");
  const session = sessionOver({ account: "ada", store, replies, drafts });
  ends.push(() => session.dispose());
  const queue = new MessageQueue(session, null);
  session.atEnd(() => queue.dispose());
  const files = (await filesModule.load()).filesOfSession(session);
  const held = endless(start(0, "r1"), token("Answer", 0));
  answers.push(held.response);
  await replies.send("a", "Another question", "auto");
  await vi.waitFor(() => expect(tab.chats().conversations.a?.messages.at(-1)?.id).toBe("r1"));
  const end = () => {
    state.stored = [...FIRST, message("q1", "user", "Another question"), message("r1", "assistant", "Answer 1")];
    held.end(token(" 1", 6), DONE);
  };
  const enqueue = async (text: string, name: string) => {
    drafts.set("a", new Draft(text));
    await files.at("a").add([new File([name], name, { type: "text/plain" })]);
    expect(queue.enqueue("a")).toBe(true);
  };
  const shown = () => queue.get("a").messages.map((each) => `${each.text} (${each.files}): ${each.status}`);
  const sent = () => tab.calls.slice(1).map(bodyOf);
  return { ...tab, drafts, queue, files, end, enqueue, shown, sent };
}

test("a queued message keeps its files, and is sent when they are uploaded and its answer is complete", async () => {
  const tab = await openTab();
  const gate = Promise.withResolvers<void>();
  server.gate = gate.promise;
  await tab.enqueue("Second", "a.txt");
  expect(tab.drafts.get("a").isUntouched).toBe(true);
  expect(tab.shown()).toEqual(["Second (a.txt): next"]);
  tab.answers.push(stream(start(0, "r2"), DONE));
  tab.end();
  await vi.waitFor(() => expect(server.log).toHaveLength(1));
  await tab.settle();
  expect(tab.sent()).toEqual([]);
  gate.resolve();
  await vi.waitFor(() => expect(tab.sent()).toHaveLength(1));
  const [id] = [...server.stored.keys()];
  expect(tab.sent()).toEqual([{ message: "Second", files: [id], parent: "r1" }]);
  await vi.waitFor(() => expect(tab.shown()).toEqual([]));
  expect(localStorage).toHaveLength(0);
});

test("a queue is held if a file fails, and the message returns to the box with it", async () => {
  const tab = await openTab();
  server.faults.push(problem(415, "file-type"));
  await tab.enqueue("Second", "a.exe");
  await tab.enqueue("Third", "b.txt");
  tab.end();
  await vi.waitFor(() => expect(tab.shown()).toEqual(["Second (a.exe): held", "Third (b.txt): held"]));
  expect(tab.sent()).toEqual([]);
  tab.queue.cancel(tab.queue.get("a").messages[0]?.draftKey ?? "");
  expect(tab.drafts.get("a").text).toBe("Second");
  expect(tab.files.at("a").files.get()).toMatchObject([{ name: "a.exe", state: "failed", error: "file-type" }]);
});

test("the next message waits for its own files if the first one is cancelled while it uploads", async () => {
  const tab = await openTab();
  const gate = Promise.withResolvers<void>();
  server.gate = gate.promise;
  await tab.enqueue("Second", "a.txt");
  await tab.enqueue("Third", "b.txt");
  tab.end();
  await vi.waitFor(() => expect(server.log).toHaveLength(2));
  await tab.settle();
  const { reads } = tab.state;
  let isReady = false;
  tab.answers.push(async () => {
    isReady = [...server.stored.values()].every(({ file }) => file !== null) && server.stored.size === 2;
    return stream(start(0, "r2"), DONE);
  });
  tab.queue.cancel(tab.queue.get("a").messages[0]?.draftKey ?? "");
  await vi.waitFor(() => expect(tab.state.reads).toBeGreaterThan(reads));
  await tab.settle();
  gate.resolve();
  await vi.waitFor(() => expect(tab.sent()).toMatchObject([{ message: "Third" }]));
  expect(isReady).toBe(true);
  expect(tab.sent().flatMap((body) => Object(body).files.map((id: string) => server.stored.get(id)?.name))).toEqual([
    "b.txt",
  ]);
  expect(tab.drafts.get("a").text).toBe("Second");
});

test("a message whose files the server has accepted for an earlier page is not sent again", async () => {
  const tab = await openTab();
  await tab.enqueue("Second", "a.txt");
  const [draftKey = ""] = tab.queue.get("a").messages.map((each) => each.draftKey);
  await tab.files.at(draftKey).settled();
  tab.queue.dispose();
  const question = { ...message("q2", "user", "Second"), parts: toFileParts(tab.drafts.get(draftKey).files) };
  tab.state.stored = [...tab.state.stored, message("q1", "user", "Another question"), message("r1", "assistant", "A")];
  tab.state.stored = [...tab.state.stored, question, message("r2", "assistant", "B")];
  const later = await openReplies(tab.state.stored);
  const drafts = new Drafts("ada");
  const session = sessionOver({ account: "ada", store: later.store, replies: later.replies, drafts });
  const queue = new MessageQueue(session, null);
  ends.push(() => queue.dispose());
  expect(filesOf(question)).toHaveLength(1);
  await vi.waitFor(() => expect(queue.get("a").messages).toEqual([]));
  expect(drafts.get(draftKey).isUntouched).toBe(true);
  expect(later.calls).toEqual([]);
});
