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

/** As when another tab of this browser forgets the words of a chat. */
function forgetElsewhere(chat: string): void {
  const key = `draft:ada:${chat}`;
  const oldValue = localStorage.getItem(key);
  localStorage.removeItem(key);
  window.dispatchEvent(new StorageEvent("storage", { key, oldValue, newValue: null }));
}

test("the words of an open chat go to the box of a new one", () => {
  const { drafts, words } = setUp();
  drafts.set("a", new Draft("Half a thought"));
  expect(words.save("a", true)).toBe(true);
  expect([drafts.get("a").text, drafts.get(null).text]).toEqual(["", "Half a thought"]);
});

test("they are kept also where the tab that deleted the chat has just emptied its box", () => {
  const { drafts, words } = setUp();
  drafts.set("a", new Draft("Half a thought"));
  forgetElsewhere("a");
  expect(drafts.get("a").text).toBe("");
  expect(words.save("a", true)).toBe(true);
  expect(drafts.get(null).text).toBe("Half a thought");
});

test("what was emptied long ago was sent, and stays away", () => {
  const { drafts, words } = setUp();
  drafts.set("a", new Draft("Sent from the other tab"));
  forgetElsewhere("a");
  vi.advanceTimersByTime(60_000);
  expect(words.save("a", true)).toBe(false);
  expect(drafts.get(null).text).toBe("");
});

test("words of two tabs are there once, behind what was there", () => {
  const { drafts, words } = setUp();
  const other = setUp();
  drafts.set(null, new Draft("First"));
  drafts.set("a", new Draft("Half a thought"));
  expect(words.save("a", true)).toBe(true);
  localStorage.setItem("draft:ada:a", "Half a thought");
  expect(other.words.save("a", true)).toBe(true);
  expect(other.drafts.get(null).text).toBe("First\n\nHalf a thought");
});

test("those of a chat that is not open are saved unless this browser itself has deleted it", () => {
  const { drafts, words } = setUp();
  drafts.set("a", new Draft("From another device's point of view"));
  drafts.set("b", new Draft("Deleted here"));
  expect([words.save("a", false), words.save("b", false)]).toEqual([false, false]);
  forgetElsewhere("b");
  vi.advanceTimersByTime(5000);
  expect(drafts.get(null).text).toBe("From another device's point of view");
});

test("the wordings of a deleted chat's questions go along, also one that was on its way", () => {
  const { drafts, words } = setUp();
  drafts.set(editOf("a", "q1"), new Draft("Better"));
  drafts.set(editOf("a", "q2"), new Draft("On its way"));
  drafts.take(editOf("a", "q2"), "auto");
  expect(words.save("a", true)).toBe(true);
  expect(drafts.get(null).text).toBe("Better\n\nOn its way");
  expect(drafts.listOf("a").size).toBe(0);
});

test("a wording is kept also where the tab that deleted the chat has just emptied it", () => {
  const { drafts, words } = setUp();
  drafts.set(editOf("a", "q1"), new Draft("Better"));
  forgetElsewhere(editOf("a", "q1"));
  expect(words.save("a", true)).toBe(true);
  expect(drafts.get(null).text).toBe("Better");
});
