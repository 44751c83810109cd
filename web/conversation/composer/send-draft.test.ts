import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadAuthConfig } from "../../accounts/auth-config.ts";
import { signOut } from "../../accounts/session/session.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { openChat } from "../../chats/state/chats-thunks.ts";
import { filesOf } from "../../chats/state/file-parts.ts";
import { pictures } from "../../files/shown/pictures.ts";
import { type FakeAnswer, type FakeCall, fakeApi, problem } from "../../testing/fakes/fake-api.ts";
import { FakeFiles } from "../../testing/fakes/fake-files.ts";
import { fileWaits } from "../attachments/file-waits.ts";
import { filesModule } from "../attachments/files-module.ts";
import { Draft } from "../draft.ts";
import { queueModule } from "../queue/queue-module.ts";
import { openStoredSession } from "../stored-session.ts";
import { sendDraft } from "./send-draft.ts";

vi.mock("../../files/upload/upload-transport.ts", () => ({
  xhrTransport: () => (url: string, request: RequestInit) => fetch(url, request),
}));

const SEND = "POST /chat/a/send?stream=1";
let server = new FakeFiles();
beforeEach(() => localStorage.clear());
afterEach(async () => {
  await signOut();
  pictures.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const chatOf = (...messages: object[]): FakeAnswer => ({ json: { id: "a", title: "T", updatedAt: 1, messages } });
const done = (reply: string): FakeAnswer => ({ text: `data: {"reply":"${reply}","at":0}\n\ndata: [DONE]\n\n` });

/** Opens chat `a`, whose sends have these answers. */
async function open(answers: readonly FakeAnswer[], chats: readonly FakeAnswer[] = [chatOf()]) {
  server = new FakeFiles();
  const calls = fakeApi({
    "GET /auth/config": { json: CONFIG },
    "GET /chat/a": chats,
    [SEND]: answers,
    "POST /chat": { json: { id: "a", title: "New chat", updatedAt: 1, messages: [] }, status: 201 },
  });
  const others = fetch;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
    url.includes("/files/") ? server.fetch(url, init) : others(url, init),
  );
  await loadAuthConfig();
  const session = openStoredSession("");
  await session.store.dispatch(openChat("a"));
  const files = (await filesModule.load()).filesOfSession(session);
  const bodies = () => calls.filter(({ path }) => path.includes("/send")).map(({ body }) => body);
  const shown = () => session.store.getState().chats.conversations.a?.messages ?? [];
  return { session, drafts: session.drafts, files, calls, bodies, shown, waits: session.get(fileWaits) };
}
const CONFIG = {
  ...{ productName: "P", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true },
  files: { maxBytes: 1000, maxPerMessage: 10 },
};
const keysOf = (calls: readonly FakeCall[]) =>
  calls.filter(({ path }) => path.includes("/send")).map(({ headers }) => headers.get("idempotency-key"));

const notes = () => new File(["Hello"], "notes.txt", { type: "text/plain" });
const photo = () => new File(["pixels"], "photo.jpg", { type: "image/jpeg" });

describe("messages with files", () => {
  test("a message with files waits for them, shows them at once, and is sent with their ids", async () => {
    const tab = await open([done("r1")]);
    const gate = Promise.withResolvers<void>();
    server.gate = gate.promise;
    tab.drafts.set("a", new Draft("What is this?"));
    await tab.files.at("a").add([notes(), photo()]);
    const ids = tab.drafts.get("a").fileIds;
    const sending = sendDraft(tab.session, "a");
    expect(tab.waits.isWaiting("a")).toBe(true);
    expect(tab.bodies()).toEqual([]);
    expect(tab.drafts.get("a").text).toBe("What is this?");
    gate.resolve();
    await sending;
    expect(tab.waits.isWaiting("a")).toBe(false);
    expect(tab.bodies()).toEqual([{ message: "What is this?", files: ids, parent: null }]);
    expect(filesOf(tab.shown()[0] ?? {})).toEqual([
      { id: ids[0], name: "notes.txt", type: "text/plain", size: 5 },
      { id: ids[1], name: "photo.jpg", type: "image/jpeg", size: 6 },
    ]);
    expect(tab.drafts.get("a").isUntouched).toBe(true);
    expect(pictures.state(ids[1] ?? "").get().kind).toBe("loaded");
    expect(localStorage).toHaveLength(0);
  });

  test("a message with files needs no text, and waits in the box of a new chat too", async () => {
    const tab = await open([done("r1")]);
    tab.session.store.dispatch(chatEvents.selectChat({ chat: null }));
    await tab.files.at(null).add([notes()]);
    const ids = tab.drafts.get(null).fileIds;
    await sendDraft(tab.session, null);
    expect(tab.bodies()).toEqual([{ message: "", files: ids, parent: null }]);
    expect(tab.drafts.get(null).isUntouched).toBe(true);
  });

  test("a message with files is not sent if the wait is cancelled, the draft changed, or a file failed", async () => {
    const tab = await open([done("r1")]);
    server.gate = new Promise(() => {});
    tab.drafts.set("a", new Draft("Question"));
    await tab.files.at("a").add([notes()]);
    const cancelled = sendDraft(tab.session, "a");
    tab.waits.cancel("a");
    await cancelled;
    const changed = sendDraft(tab.session, "a");
    tab.drafts.set("a", tab.drafts.get("a").withText("Question!"));
    await changed;
    server.gate = Promise.resolve();
    server.faults.push(problem(415, "file-type"));
    await tab.files.at("a").add([notes()]);
    await sendDraft(tab.session, "a");
    expect(tab.bodies()).toEqual([]);
    expect(tab.waits.isWaiting("a")).toBe(false);
    expect(tab.drafts.get("a").text).toBe("Question!");
    expect(tab.drafts.get("a").files).toHaveLength(2);
  });

  test("a message with files is sent once, and one cancellation is enough, however often it is submitted", async () => {
    const tab = await open([done("r1")]);
    const gate = Promise.withResolvers<void>();
    server.gate = gate.promise;
    await tab.files.at("a").add([notes()]);
    const sends = [sendDraft(tab.session, "a"), sendDraft(tab.session, "a")];
    tab.waits.cancel("a");
    await Promise.all(sends);
    gate.resolve();
    await tab.files.at("a").settled();
    expect(tab.bodies()).toEqual([]);
    await Promise.all([sendDraft(tab.session, "a"), sendDraft(tab.session, "a")]);
    expect(tab.bodies()).toHaveLength(1);
  });

  test("a refused message with files returns to the box if the queue cannot be loaded, and keeps its key only while unanswered", async () => {
    const tab = await open([problem(409, "quota-reached"), done("r1")]);
    vi.spyOn(queueModule, "load").mockRejectedValue(new TypeError("Failed to fetch"));
    tab.drafts.set("a", new Draft("Question"));
    await tab.files.at("a").add([notes()]);
    const ids = tab.drafts.get("a").fileIds;
    await sendDraft(tab.session, "a");
    expect(tab.drafts.get("a")).toMatchObject({ text: "Question", fileIds: ids });
    expect(tab.shown()).toEqual([]);
    expect(tab.files.at("a").files.get()[0]?.state).toBe("ready");
    await sendDraft(tab.session, "a");
    expect(tab.bodies()).toHaveLength(2);
    expect(new Set(keysOf(tab.calls)).size).toBe(2);
    expect(server.log.filter((call) => call.startsWith("PUT"))).toHaveLength(1);
  });

  test("a message whose file the server no longer has is sent once that is uploaded again", async () => {
    const tab = await open([problem(404, "file-gone"), done("r1")]);
    await tab.files.at("a").add([notes()]);
    const [before] = tab.drafts.get("a").fileIds;
    await tab.files.at("a").settled();
    server.stored.clear();
    await sendDraft(tab.session, "a");
    await vi.waitFor(() =>
      expect(tab.files.at("a").files.get()).toMatchObject([{ state: "failed", error: "file-gone", canRetry: true }]),
    );
    tab.files.at("a").retry(before ?? "");
    await sendDraft(tab.session, "a");
    const [now] = tab.drafts.get("a").fileIds.concat(
      ...tab
        .bodies()
        .slice(1)
        .map((body) => Object(body).files),
    );
    expect(now).not.toBe(before);
    expect(server.bytesOf(now ?? "")).toBe("Hello");
    expect(tab.drafts.get("a").isUntouched).toBe(true);
  });

  test("a message with files is queued if an answer has begun meanwhile", async () => {
    const tab = await open([]);
    await queueModule.load();
    const gate = Promise.withResolvers<void>();
    server.gate = gate.promise;
    tab.drafts.set("a", new Draft("Next"));
    await tab.files.at("a").add([notes()]);
    const sending = sendDraft(tab.session, "a");
    tab.session.store.dispatch(chatEvents.sendMessageWithAiStream({ chat: "a", key: "k", text: "First" }));
    gate.resolve();
    await sending;
    const queue = (await queueModule.load()).queueOf(tab.session);
    expect(queue.get("a").messages).toMatchObject([{ text: "Next", files: ["notes.txt"] }]);
    expect(tab.bodies()).toEqual([]);
  });
});

test("the files of a chat that was deleted elsewhere move to the box of a new chat with its text", async () => {
  const tab = await open([]);
  tab.drafts.set("a", new Draft("Question"));
  await tab.files.at("a").add([notes()]);
  const ids = await tab.files.at("a").settled();
  tab.session.store.dispatch(chatEvents.loseChat({ chat: "a", error: "Gone" }));
  expect(tab.drafts.get(null)).toMatchObject({ text: "Question", fileIds: ids });
  expect(await tab.files.at(null).settled()).toEqual(ids);
  expect(server.log).toHaveLength(1);
});

test("a message without files loads no module of files, and is sent in the same task", async () => {
  const tab = await open([done("r1")]);
  const loaded = vi.spyOn(filesModule, "ask");
  tab.drafts.set("a", new Draft("Hello"));
  const sending = sendDraft(tab.session, "a");
  expect(tab.drafts.get("a").isUntouched).toBe(true);
  await sending;
  expect(tab.bodies()).toEqual([{ message: "Hello", parent: null }]);
  expect(loaded).not.toHaveBeenCalled();
});

test("no file is uploaded any more after a logout", async () => {
  const tab = await open([]);
  server.gate = new Promise(() => {});
  await tab.files.at("a").add([notes()]);
  await vi.waitFor(() => expect(server.log).toHaveLength(1));
  const sending = sendDraft(tab.session, "a");
  await signOut();
  openStoredSession("other");
  await sending;
  expect(tab.bodies()).toEqual([]);
  expect(tab.files.at("a").files.get()).toEqual([]);
});
