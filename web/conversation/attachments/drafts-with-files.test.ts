import { beforeEach, expect, test } from "vitest";
import { Draft } from "../draft.ts";
import { SavedWords } from "../saved-words.ts";
import { Drafts, moveText } from "../stored-drafts.ts";
import { MemoryDrafts } from "../temporary/memory-drafts.ts";

const file = (id: string) => ({ id, name: `${id}.txt`, type: "text/plain", size: 1 });
const ids = (drafts: Drafts, chat: string | null) => drafts.get(chat).fileIds;

beforeEach(() => localStorage.clear());

test("the files of a draft survive the page, and a logout with them needs a confirmation", () => {
  new Drafts("ada").set("a", new Draft("", [file("f")]));
  expect(ids(new Drafts("ada"), "a")).toEqual(["f"]);
  expect(new Drafts("ada").hasAny()).toBe(true);
  expect(ids(new Drafts("bob"), "a")).toEqual([]);
});

test("files that are being sent stay stored, and return in front of those added since", () => {
  const drafts = new Drafts("ada");
  drafts.set("a", new Draft("Hello", [file("f")]));
  const ticket = drafts.take("a", "auto");
  expect(ids(drafts, "a")).toEqual([]);
  expect(ids(new Drafts("ada"), "a")).toEqual(["f"]);
  drafts.set("a", new Draft("", [file("g")]));
  drafts.settle(ticket, { isTaken: false, isAnswered: true }, "a");
  expect(ids(drafts, "a")).toEqual(["f", "g"]);
});

test("after a reload a message has the same key with the same files only", () => {
  const drafts = new Drafts("ada");
  drafts.set("a", new Draft("", [file("f")]));
  const { key } = drafts.take("a", "auto");
  const again = new Drafts("ada");
  again.set("a", again.get("a").withFiles([{ ...file("f"), size: 5 }]));
  expect(again.take("a", "auto").key).toBe(key);
  const changed = new Drafts("ada");
  changed.set("a", new Draft("", [file("f"), file("g")]));
  expect(changed.take("a", "auto").key).not.toBe(key);
});

test("files move to the chat that was created for them", () => {
  const drafts = new Drafts("ada");
  drafts.set(null, new Draft("Hello", [file("f")]));
  const ticket = drafts.take(null, "auto");
  drafts.set(null, new Draft("", [file("g")]));
  drafts.adopt("a", true);
  expect([ids(drafts, null), ids(drafts, "a")]).toEqual([[], ["g"]]);
  drafts.settle(ticket, { isTaken: false, isAnswered: true }, "a");
  expect(ids(drafts, "a")).toEqual(["f", "g"]);
});

test("a file is held by its draft, by a message that is being sent, and by a draft that may be restored", () => {
  const drafts = new Drafts("ada");
  drafts.set("a", new Draft("", [file("sent")]));
  const ticket = drafts.take("a", "auto");
  drafts.set("a", new Draft("", [file("box")]));
  drafts.set("b", new Draft("", [file("aside")]));
  drafts.stash("b");
  new Drafts("ada").set("c", new Draft("", [file("elsewhere")]));
  const held = () => ["sent", "box", "aside", "elsewhere", "other"].filter((id) => drafts.holdsFile(id));
  expect(held()).toEqual(["sent", "box", "aside", "elsewhere"]);
  drafts.settle(ticket, { isTaken: true, isAnswered: true }, "a");
  drafts.set("a", Draft.empty);
  expect(held()).toEqual(["aside", "elsewhere"]);
  drafts.bringBack("b");
  expect(ids(drafts, "b")).toEqual(["aside"]);
});

test("the files of a chat that was deleted elsewhere are saved once", () => {
  const drafts = new Drafts("ada");
  drafts.set("a", new Draft("", [file("f")]));
  drafts.set(null, new Draft("Mine", [file("g")]));
  const words = new SavedWords("ada", drafts);
  expect(words.save("a", true)).toBe(true);
  words.dispose();
  expect([ids(drafts, "a"), ids(drafts, null), drafts.get(null).text]).toEqual([[], ["g", "f"], "Mine"]);
});

test("a temporary chat takes over the text of a draft, and its files stay until their bytes are read", () => {
  const drafts = new Drafts("ada");
  drafts.set("a", new Draft("Hello", [file("f")]));
  const memory = new MemoryDrafts();
  expect(moveText(drafts, "a", memory)).toEqual([file("f")]);
  expect([memory.get(null).text, memory.get(null).files]).toEqual(["Hello", []]);
  expect([drafts.get("a").text, ids(drafts, "a")]).toEqual(["", ["f"]]);
  expect(moveText(drafts, "a", memory)).toEqual([]);
});
