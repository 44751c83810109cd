import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Draft } from "./draft.ts";
import { SavedWords } from "./saved-words.ts";
import { Drafts, editOf } from "./stored-drafts.ts";

const endings: (() => void)[] = [];

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => {
  for (const end of endings.splice(0)) end();
  vi.useRealTimers();
});

function setUp() {
  const drafts = new Drafts("ada");
  const words = new SavedWords("ada", drafts);
  endings.push(
    () => words.dispose(),
    () => drafts.dispose(),
  );
  return { drafts, words };
}

/** Removes the drafts of a chat like another tab of this browser. */
function forgetElsewhere(chat: string): void {
  const key = `draft:ada:${chat}`;
  const oldValue = localStorage.getItem(key);
  localStorage.removeItem(key);
  window.dispatchEvent(new StorageEvent("storage", { key, oldValue, newValue: null }));
}

test("the drafts of an open chat move to the box of a new one", () => {
  const { drafts, words } = setUp();
  drafts.set("a", new Draft("Half a thought"));
  expect(words.save("a", true)).toBe(true);
  expect([drafts.get("a").text, drafts.get(null).text]).toEqual(["", "Half a thought"]);
});

test("drafts are saved even if the tab that deleted the chat has just emptied its box", () => {
  const { drafts, words } = setUp();
  drafts.set("a", new Draft("Half a thought"));
  forgetElsewhere("a");
  expect(drafts.get("a").text).toBe("");
  expect(words.save("a", true)).toBe(true);
  expect(drafts.get(null).text).toBe("Half a thought");
});

test("text that was removed long ago was sent, and is not restored", () => {
  const { drafts, words } = setUp();
  drafts.set("a", new Draft("Sent from the other tab"));
  forgetElsewhere("a");
  vi.advanceTimersByTime(60_000);
  expect(words.save("a", true)).toBe(false);
  expect(drafts.get(null).text).toBe("");
});

test("text of two tabs is restored once, after the existing text", () => {
  const { drafts, words } = setUp();
  const other = setUp();
  drafts.set(null, new Draft("First"));
  drafts.set("a", new Draft("Half a thought"));
  expect(words.save("a", true)).toBe(true);
  localStorage.setItem("draft:ada:a", "Half a thought");
  expect(other.words.save("a", true)).toBe(true);
  expect(other.drafts.get(null).text).toBe("First\n\nHalf a thought");
});

test("drafts of a chat that is not open are saved unless this browser itself has deleted it", () => {
  const { drafts, words } = setUp();
  drafts.set("a", new Draft("From another device's point of view"));
  drafts.set("b", new Draft("Deleted here"));
  expect([words.save("a", false), words.save("b", false)]).toEqual([false, false]);
  forgetElsewhere("b");
  vi.advanceTimersByTime(5000);
  expect(drafts.get(null).text).toBe("From another device's point of view");
});

test("edits of a deleted chat's questions are saved too, including one that was being sent", () => {
  const { drafts, words } = setUp();
  drafts.set(editOf("a", "q1"), new Draft("Better"));
  drafts.set(editOf("a", "q2"), new Draft("On its way"));
  drafts.take(editOf("a", "q2"), "auto");
  expect(words.save("a", true)).toBe(true);
  expect(drafts.get(null).text).toBe("Better\n\nOn its way");
  expect(drafts.listOf("a").size).toBe(0);
});

test("an edit is saved even if the tab that deleted the chat has just emptied it", () => {
  const { drafts, words } = setUp();
  drafts.set(editOf("a", "q1"), new Draft("Better"));
  forgetElsewhere(editOf("a", "q1"));
  expect(words.save("a", true)).toBe(true);
  expect(drafts.get(null).text).toBe("Better");
});
