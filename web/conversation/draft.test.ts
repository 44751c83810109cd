import { expect, test } from "vitest";
import { Draft } from "./draft.ts";

const file = (id: string, name = `${id}.txt`) => ({ id, name, type: "text/plain", size: 1 });

test.each([
  ["text", new Draft("Hello")],
  ["white space", new Draft(" ")],
  ["files", new Draft("", [file("a"), { ...file("b"), width: 3, height: 2 }])],
  ["text and files", new Draft("Hello", [file("a")])],
  ["text that looks like a stored draft", new Draft(new Draft("x", [file("a")]).toStored() ?? "")],
])("a stored draft is read as it was: %s", (_, draft) => {
  expect(Draft.fromStored(draft.toStored())).toEqual(draft);
});

test("a draft of text alone is stored as that text, and an untouched one not at all", () => {
  expect(new Draft("Hello").toStored()).toBe("Hello");
  expect(Draft.empty.toStored()).toBeNull();
  expect(Draft.fromStored(null)).toBe(Draft.empty);
});

test("a draft with files is not empty without text", () => {
  expect([new Draft(" ").isEmpty, new Draft(" ", [file("a")]).isEmpty]).toEqual([true, false]);
  expect([new Draft(" ").isUntouched, new Draft("", [file("a")]).isUntouched]).toEqual([false, false]);
});

test("a draft is the same message with the same text and files, whatever is known of these", () => {
  const draft = new Draft("Hello", [file("a"), file("b")]);
  expect(draft.isSame(new Draft("Hello", [{ ...file("a"), size: 9, width: 5 }, file("b")]))).toBe(true);
  expect(draft.isSame(new Draft("Hello", [file("b"), file("a")]))).toBe(false);
  expect(draft.isSame(draft.withFiles([file("a")]))).toBe(false);
  expect(draft.isSame(draft.withText("Hello!"))).toBe(false);
});

test("joined drafts have both texts, and each file once", () => {
  const joined = new Draft("One", [file("a"), file("b")]).join(new Draft("Two", [file("b"), file("c")]));
  expect([joined.text, joined.fileIds]).toEqual(["One\n\nTwo", ["a", "b", "c"]]);
  expect(new Draft(" ", [file("a")]).join(new Draft("Two"))).toEqual(new Draft("Two", [file("a")]));
  expect(joined.includes(new Draft("Two", [file("c")]))).toBe(true);
  expect(joined.includes(new Draft("Two", [file("d")]))).toBe(false);
});

test("a stored draft keeps which of its files was made of pasted text", () => {
  const draft = new Draft("Sum up", [{ ...file("a"), isPasted: true }, file("b")]);
  expect(Draft.fromStored(draft.toStored())).toEqual(draft);
});
