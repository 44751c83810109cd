import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Locks } from "../../api/events/tab-tools.ts";
import type { ModelChoice } from "../../models/model-choice.ts";
import { FakeBrowser } from "../../testing/fakes/fake-tabs.ts";
import {
  bodyOf,
  DONE,
  keyOf,
  message,
  openReplies,
  refusal,
  start,
  stream,
  token,
} from "../../testing/replies-set-up.ts";
import { sessionOver } from "../../testing/session-over.ts";
import { Draft } from "../draft.ts";
import { Drafts, draftPrefix } from "../stored-drafts.ts";
import { MessageQueue } from "./message-queue.ts";

const PREFIX = draftPrefix("ada");
const FIRST = [message("q0", "user", "The question"), message("r0", "assistant", "The answer")];

const queues: MessageQueue[] = [];
beforeEach(() => localStorage.clear());
afterEach(() => {
  for (const queue of queues.splice(0)) queue.dispose();
});

/** Opens a tab on chat `a`. */
async function openTab(locks: Locks | null, model: string) {
  const tab = await openReplies(FIRST);
  const drafts = new Drafts("ada");
  const modelChoice = { current: () => ({ value: model }) } as ModelChoice;
  const queue = new MessageQueue(sessionOver({ ...tab, account: "ada", drafts, modelChoice }), locks);
  queues.push(queue);
  const refused = () => {
    const conversation = tab.conversation();
    const shown = conversation ? queue.withRefused(conversation).messages : [];
    return shown.filter((each) => each.refused).map(({ content }) => content);
  };
  const sends = () => tab.calls.filter(({ path }) => path.includes("/send"));
  /** Resolves once nothing is being sent, so that the buttons work again. */
  const rests = () =>
    vi.waitFor(() => expect([tab.chats().loading, tab.conversation()?.isWriting]).toEqual([[], false]));
  return { ...tab, drafts, queue, refused, sends, rests };
}

type Tab = Awaited<ReturnType<typeof openTab>>;

const storedDrafts = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
/** Reports changes of the storage, which a browser does at any time after them. */
const reportStorage = (keys: readonly string[]) => {
  for (const key of keys) dispatchEvent(new StorageEvent("storage", { key, newValue: localStorage.getItem(key) }));
};

/** Refuses a message in the first of two tabs; the second one shows it as well. */
async function refuseInTwo(locks: Locks | null, models = ["auto", "auto"]) {
  const tabs: Tab[] = [];
  for (const model of models) tabs.push(await openTab(locks, model));
  const [first] = tabs;
  first?.drafts.set("a", new Draft("Hello"));
  const ticket = first?.drafts.take("a", "auto");
  if (ticket) first?.queue.takeRefused(ticket, { isTaken: false, isAnswered: true, chat: "a" });
  const before = storedDrafts();
  reportStorage(before);
  for (const tab of tabs) expect(tab.refused()).toEqual(["Hello"]);
  const tryAgain = () => {
    for (const { queue } of tabs) queue.sendNow(before.join().slice(PREFIX.length));
  };
  return { tabs, before, tryAgain };
}

/** Stores each question once for its key, and refuses one that does not follow the last message, as the server does. */
function serve(tabs: readonly Tab[]): void {
  const keys = new Set<unknown>();
  for (const tab of tabs) {
    tab.answers.push(async () => {
      const call = tab.calls.at(-1);
      const { message: text, parent } = Object(bodyOf(call));
      if (!keys.has(keyOf(call)) && parent !== tab.state.stored.at(-1)?.id) return refusal(409, "conversation-moved");
      keys.add(keyOf(call));
      for (const { state } of tabs) {
        state.stored = [...FIRST, message("q1", "user", text), message("r1", "assistant", "Answer 1")];
      }
      return stream(start(0, "r1"), token("Answer 1", 0), DONE);
    });
  }
}

const withLocks = () => new FakeBrowser().tools().locks;
const withoutLocks = () => null;
const twoModels = ["GPT:gpt-5-mini", "GPT:gpt-5-nano"];

test.each([
  ["in tabs with locks", withLocks, undefined],
  ["in tabs with locks and two models", withLocks, twoModels],
  ["in tabs without locks", withoutLocks, undefined],
  ["in tabs without locks, with two models", withoutLocks, twoModels],
])("Try again at one moment sends a refused message once, %s", async (_name, locks, models) => {
  const { tabs, before, tryAgain } = await refuseInTwo(locks(), models);
  serve(tabs);
  tryAgain();
  for (const tab of tabs) {
    await vi.waitFor(() => expect(tab.words()).toEqual(["The question", "The answer", "Hello", "Answer 1"]));
  }
  for (const tab of tabs) await tab.rests();
  reportStorage(before);
  for (const tab of tabs) {
    expect(tab.words()).toHaveLength(4);
    expect(tab.refused()).toEqual([]);
    expect(tab.chats().error).toBeNull();
    expect(tab.drafts.get("a").text).toBe("");
  }
  expect(localStorage).toHaveLength(0);
});

test.each([
  ["with locks", withLocks],
  ["without locks", withoutLocks],
])("Try again at one moment leaves one message if it is refused again, in tabs %s", async (_name, locks) => {
  const { tabs, before, tryAgain } = await refuseInTwo(locks());
  for (const { answers } of tabs) answers.push(refusal(400, "invalid-input"));
  tryAgain();
  // A tab that has waited for the other one reads the chat.
  const acts = ({ sends, state }: Tab) => sends().length > 0 || state.reads > 1;
  await vi.waitFor(() => expect(tabs.every(acts)).toBe(true));
  for (const { queue } of tabs) await vi.waitFor(() => expect(queue.get("a").canSend).toBe(true));
  reportStorage([...before, ...storedDrafts()]);
  for (const tab of tabs) expect(tab.refused()).toEqual(["Hello"]);
  expect(storedDrafts().map((key) => localStorage.getItem(key))).toEqual(["Hello"]);
});
