import { beforeEach, expect, test } from "vitest";
import { Draft } from "./draft.ts";
import { Edits } from "./edits.ts";
import { Drafts, editOf } from "./stored-drafts.ts";

beforeEach(() => localStorage.clear());

test("a question with an unfinished edit is open again after a reload", () => {
  new Drafts("ada").set(editOf("a", "q1"), new Draft("Better"));
  const edits = new Edits(new Drafts("ada"));
  expect(edits.isOpen("a", "q1")).toBe(true);
  expect([edits.isOpen("a", "q2"), edits.isOpen("b", "q1")]).toEqual([false, false]);
});

test("an edit that was ended, or emptied while open, keeps its state on this page", () => {
  const drafts = new Drafts("ada");
  drafts.set(editOf("a", "q1"), new Draft("Better"));
  const edits = new Edits(drafts);
  expect(edits.isOpen("a", "q1")).toBe(true);
  drafts.set(editOf("a", "q1"), new Draft(""));
  expect(edits.isOpen("a", "q1")).toBe(true);
  drafts.set(editOf("a", "q1"), new Draft("Best"));
  edits.end("a");
  expect(edits.isOpen("a", "q1")).toBe(false);
});

test("the draft of a chat does not open an edit of its questions", () => {
  new Drafts("ada").set("a", new Draft("Half a thought"));
  expect(new Edits(new Drafts("ada")).isOpen("a", "")).toBe(false);
});
