import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Message } from "#contract/conversation/conversation.ts";
import type { Locks } from "../../api/events/tab-tools.ts";
import { chatEvents } from "../../chats/state/chats-slice.ts";
import { refreshChat } from "../../chats/state/chats-thunks.ts";
import type { ModelChoice } from "../../models/model-choice.ts";
import { FakeBrowser } from "../../testing/fakes/fake-tabs.ts";
import {
  bodyOf,
  DONE,
  endless,
  keyOf,
  message,
  openReplies,
  start,
  stream,
  token,
} from "../../testing/replies-set-up.ts";
import { sessionOver } from "../../testing/session-over.ts";
import { Draft } from "../draft.ts";
import { Drafts } from "../stored-drafts.ts";
import { MessageQueue } from "./message-queue.ts";

const FIRST = [message("q0", "user", "The question"), message("r0", "assistant", "The answer")];
const asked = (nth: number, text: string, state: Message["state"] = "complete") => [
  message(`q${nth}`, "user", text),
  message(`r${nth}`, "assistant", `Answer ${nth}`, state),
];

const queues: MessageQueue[] = [];
beforeEach(() => localStorage.clear());
afterEach(() => {
  for (const queue of queues.splice(0)) queue.dispose();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Opens a tab on chat `a`. `stored`: the messages on the server. */
async function openTab(stored: Message[] = FIRST, locks: Locks | null = null) {
  const tab = await openReplies(stored);
  const { store, replies } = tab;
  const drafts = new Drafts("ada");
  const choice = { model: "auto" };
  const modelChoice = { current: () => ({ value: choice.model }) } as ModelChoice;
  const queue = new MessageQueue(sessionOver({ account: "ada", store, replies, drafts, modelChoice }), locks);
  queues.push(queue);
  const enqueue = (text: string) => {
    drafts.set("a", new Draft(text));
    return queue.enqueue("a");
  };
  const shown = () => queue.get("a").messages.map(({ text, status }) => `${text}: ${status}`);
  const draftKeys = () => queue.get("a").messages.map(({ draftKey }) => draftKey);
  const sent = () =>
    tab.calls.map((call) => bodyOf(call)).filter((body) => body !== null && Object.hasOwn(Object(body), "message"));
  return { ...tab, drafts, queue, choice, enqueue, shown, draftKeys, sent };
}

type Tab = Awaited<ReturnType<typeof openTab>>;

/** Returns an answer of the server, which has stored the question and its complete answer by then. */
const storing = (tabs: readonly Tab[], nth: number, question: string) => async () => {
  for (const { state } of tabs) state.stored = [...state.stored, ...asked(nth, question)];
  return stream(start(0, `r${nth}`), token(`Answer ${nth}`, 0), DONE);
};

/** Begins answer `r1`, which ends when `end` is called. */
async function beginAnswer(tab: Tab) {
  const held = endless(start(0, "r1"), token("Answer", 0));
  tab.answers.push(held.response);
  await tab.replies.send("a", "Another question", "auto");
  await vi.waitFor(() => expect(tab.chats().conversations.a?.messages.at(-1)?.id).toBe("r1"));
  return (state: Message["state"] = "complete") => {
    tab.state.stored = [...FIRST, ...asked(1, "Another question", state)];
    held.end(token(" 1", 6), DONE);
  };
}

describe("messages submitted while an answer is being written", () => {
  test("a queued message leaves the box, and is sent with its own key and model after the answer", async () => {
    const tab = await openTab();
    expect(tab.enqueue("Too early")).toBe(false);
    expect(tab.drafts.get("a").text).toBe("Too early");
    const end = await beginAnswer(tab);
    tab.choice.model = "GPT:gpt-5-mini";
    expect(tab.enqueue("Second")).toBe(true);
    expect(tab.drafts.get("a").text).toBe("");
    tab.choice.model = "GPT:gpt-5-nano";
    expect(tab.enqueue("Third")).toBe(true);
    expect(tab.enqueue(" ")).toBe(false);
    expect(tab.shown()).toEqual(["Second: next", "Third: later"]);
    const [key] = Object.values(localStorage).flatMap(
      (text) => /"text":"Second".*"key":"([^"]+)"/.exec(text)?.[1] ?? [],
    );
    tab.answers.push(storing([tab], 2, "Second"), storing([tab], 3, "Third"));
    end();
    await vi.waitFor(() => expect(tab.sent()).toHaveLength(3));
    expect(tab.sent().slice(1)).toEqual([
      { message: "Second", model: "GPT:gpt-5-mini", parent: "r1" },
      { message: "Third", model: "GPT:gpt-5-nano", parent: "r2" },
    ]);
    expect(keyOf(tab.calls[1])).toBe(key);
    await vi.waitFor(() => expect(tab.shown()).toEqual([]));
    await vi.waitFor(() => expect(localStorage).toHaveLength(0));
  });

  test.each(["stopped", "failed", "interrupted"] as const)(
    "a queued message is held if the answer is %s for the server",
    async (state) => {
      const tab = await openTab();
      const end = await beginAnswer(tab);
      tab.enqueue("Second");
      end(state);
      await vi.waitFor(() => expect(tab.shown()).toEqual(["Second: held"]));
      expect(tab.queue.get("a").canSend).toBe(true);
      expect(tab.sent()).toHaveLength(1);
    },
  );

  test("a queued message is held if the answer is truncated, replaced, or on another branch", async () => {
    const tab = await openTab();
    const end = await beginAnswer(tab);
    tab.enqueue("Second");
    tab.store.dispatch(
      chatEvents.showBranch({ chat: "a", messages: tab.chats().conversations.a?.messages.slice(0, 2) ?? [] }),
    );
    expect(tab.shown()).toEqual(["Second: held"]);
    end();
    const truncated = { ...message("r1", "assistant", "Answer 1"), isTruncated: true };
    tab.state.stored = [...FIRST, message("q1", "user", "Another question"), truncated];
    await tab.settle();
    await tab.store.dispatch(refreshChat("a"));
    await vi.waitFor(() => expect(tab.shown()).toEqual(["Second: held"]));
    expect(tab.sent()).toHaveLength(1);
  });

  test("a queued message is held while another version of the stopped answer is shown", async () => {
    const tab = await openTab();
    const end = await beginAnswer(tab);
    tab.enqueue("Second");
    end("stopped");
    await vi.waitFor(() => expect(tab.shown()).toEqual(["Second: held"]));
    const [first, second, question] = tab.chats().conversations.a?.messages ?? [];
    // The versions of an answer have one React key.
    const key = tab.chats().conversations.a?.messages.at(-1)?.key ?? "";
    if (!first || !second || !question) throw new Error("The chat is too short");
    const version = { ...second, key, id: "v1", parent: "q1", content: "The earlier version" };
    tab.store.dispatch(chatEvents.showBranch({ chat: "a", messages: [first, second, question, version] }));
    await tab.settle();
    expect(tab.shown()).toEqual(["Second: held"]);
    expect(tab.sent()).toHaveLength(1);
  });

  test("a queued message keeps its key when the server does not answer, so that it is stored once", async () => {
    const tab = await openTab();
    const end = await beginAnswer(tab);
    tab.enqueue("Second");
    tab.answers.push(() => new Promise<Response>(() => {}));
    end();
    await vi.waitFor(() => expect(tab.sent()).toHaveLength(2));
    const key = keyOf(tab.calls.findLast((call) => bodyOf(call) !== null));
    tab.replies.cancel("a");
    await vi.waitFor(() => expect(tab.drafts.get("a").text).toBe("Second"));
    tab.answers.push(storing([tab], 2, "Second"));
    const ticket = tab.drafts.take("a", "auto");
    expect(ticket.key).toBe(key);
  });

  test("a queued message is not sent after another tab has cancelled it", async () => {
    const tab = await openTab();
    const end = await beginAnswer(tab);
    tab.enqueue("Second");
    const name = Object.keys(localStorage).find((each) => each.startsWith("draft:")) ?? "";
    tab.answers.push(() => new Promise<Response>(() => {}));
    end();
    await vi.waitFor(() => expect(tab.sent()).toHaveLength(2));
    localStorage.removeItem(name);
    window.dispatchEvent(new StorageEvent("storage", { key: name, newValue: null, storageArea: localStorage }));
    await vi.waitFor(() => expect(tab.chats().conversations.a?.isWriting).toBe(false));
    await tab.settle();
    expect([tab.shown(), tab.drafts.get("a").text]).toEqual([[], ""]);
    expect(localStorage).toHaveLength(0);
  });

  test("a held message is sent by the user's command, and the messages behind it follow", async () => {
    const tab = await openTab();
    const end = await beginAnswer(tab);
    for (const text of ["Second", "Third", "Fourth"]) tab.enqueue(text);
    end("stopped");
    await vi.waitFor(() => expect(tab.shown()).toEqual(["Second: held", "Third: held", "Fourth: held"]));
    tab.answers.push(storing([tab], 2, "Third"), endless(start(0, "r3")).response);
    tab.queue.sendNow(tab.draftKeys()[1] ?? "");
    await vi.waitFor(() => expect(tab.sent()).toHaveLength(3));
    expect(tab.sent().slice(1)).toMatchObject([{ message: "Third" }, { message: "Fourth" }]);
    expect(tab.shown()).toEqual(["Second: held"]);
  });

  test("a message that was sent, or cancelled, is not read again when a draft changes", async () => {
    const tab = await openTab();
    const end = await beginAnswer(tab);
    tab.enqueue("Second");
    tab.enqueue("Third");
    const [second, third] = tab.draftKeys();
    tab.queue.cancel(third ?? "");
    tab.answers.push(storing([tab], 2, "Second"));
    end();
    await vi.waitFor(() => expect(tab.words()).toContain("Answer 2"));
    await tab.settle();
    await vi.waitFor(() => expect(localStorage).toHaveLength(1));
    const get = vi.spyOn(tab.drafts, "get");
    tab.drafts.set("a", new Draft("A word"));
    for (const draftKey of [second, third]) expect(get).not.toHaveBeenCalledWith(draftKey);
  });

  test("a cancelled queued message returns to the box above the text there", async () => {
    const tab = await openTab();
    await beginAnswer(tab);
    tab.enqueue("Second");
    tab.drafts.set("a", new Draft("Half a sent"));
    tab.queue.cancel(tab.draftKeys()[0] ?? "");
    expect(tab.drafts.get("a").text).toBe("Second\n\nHalf a sent");
    expect(tab.shown()).toEqual([]);
    expect(Object.values(localStorage)).toEqual(["Second\n\nHalf a sent"]);
  });
});

describe("queued messages on another page", () => {
  /** Leaves a tab while its answer is being written. */
  async function leave(): Promise<void> {
    const tab = await openTab();
    await beginAnswer(tab);
    tab.enqueue("Second");
    tab.queue.dispose();
    tab.drafts.dispose();
  }

  test("a queued message is sent by a later page if the answer was completed meanwhile", async () => {
    await leave();
    const later = await openTab([...FIRST, ...asked(1, "Another question")]);
    later.answers.push(stream(start(0, "r2"), token("Answer 2", 0), DONE));
    await vi.waitFor(() => expect(later.sent()).toMatchObject([{ message: "Second", parent: "r1" }]));
  });

  test("a queued message is removed by a later page if the server has accepted it already", async () => {
    await leave();
    const later = await openTab([...FIRST, ...asked(1, "Another question"), ...asked(2, "Second")]);
    expect(later.shown()).toEqual([]);
    expect(localStorage).toHaveLength(0);
    expect(later.sent()).toEqual([]);
  });

  test("a queued message is held if the chat was continued, and is removed by a logout", async () => {
    await leave();
    const later = await openTab([...FIRST, ...asked(1, "Another question"), ...asked(2, "From elsewhere")]);
    expect(later.shown()).toEqual(["Second: held"]);
    expect(later.drafts.hasAny()).toBe(true);
    later.drafts.clear();
    expect(later.shown()).toEqual([]);
    expect(localStorage).toHaveLength(0);
  });

  test("a queued message is sent by one of two tabs", async () => {
    await leave();
    const { locks } = new FakeBrowser().tools();
    const stored = [...FIRST, ...asked(1, "Another question", "writing")];
    const tabs = [await openTab(stored, locks), await openTab(stored, locks)] as const;
    for (const tab of tabs) {
      expect(tab.shown()).toEqual(["Second: next"]);
      tab.state.stored = [...FIRST, ...asked(1, "Another question")];
      tab.answers.push(storing(tabs, 2, "Second"));
    }
    for (const { store } of tabs) void store.dispatch(refreshChat("a"));
    await vi.waitFor(() => expect(tabs.flatMap((tab) => tab.sent())).toHaveLength(1));
    for (const tab of tabs) await vi.waitFor(() => expect(tab.chats().conversations.a?.messages).toHaveLength(6));
    for (const tab of tabs) await tab.settle();
    expect(tabs.flatMap((tab) => tab.sent())).toHaveLength(1);
  });
});

test("a full storage loses no text of a queued message", async () => {
  const tab = await openTab();
  await beginAnswer(tab);
  const text = "x".repeat(100);
  tab.drafts.set("a", new Draft(text));
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const write = (key: string, value: string) => {
    const others = Object.entries({ ...localStorage }).filter(([name]) => name !== key);
    const length = others.reduce((sum, [, held]) => sum + held.length, value.length);
    if (length > 150) throw new DOMException("Full", "QuotaExceededError");
    stored.setItem(key, value);
  };
  const stored = localStorage;
  const get = (_: Storage, name: string) => (name === "setItem" ? write : Reflect.get(stored, name));
  vi.stubGlobal("localStorage", new Proxy(stored, { get }));
  expect(tab.queue.enqueue("a")).toBe(true);
  expect(tab.shown()).toEqual([`${text}: next`]);
  expect(Object.values(localStorage)).toEqual([text]);
  tab.queue.cancel(tab.draftKeys()[0] ?? "");
  expect(tab.drafts.get("a").text).toBe(text);
  expect(Object.values(localStorage)).toEqual([text]);
});
