import { expect, test } from "vitest";
import { AUTO_MODEL, type ModelOption } from "#contract/models.ts";
import { unreadFiles } from "./unread-files.ts";

const model = (value: string, more: Partial<ModelOption> = {}): ModelOption => ({
  ...{ value, label: value, available: true },
  ...more,
});
const blind = model("blind");
const seeing = model("seeing", { images: true });
const reading = model("reading", { images: true, pdf: true });
const [picture, pdf, text] = [{ type: "image/png" }, { type: "application/pdf" }, { type: "text/plain" }];

const check = (files: { type: string }[], models: ModelOption[], chosen: string) => {
  const found = unreadFiles(files, [{ label: "Models", models }], chosen);
  return found && { unread: found.unread, readers: found.readers.map(({ value }) => value) };
};

test("the warning names the kinds that the chosen model does not read, and models that read more", () => {
  const all = [blind, seeing, reading];
  expect(check([picture, pdf], all, "blind")).toEqual({ unread: ["picture", "pdf"], readers: ["reading", "seeing"] });
  expect(check([picture, pdf], all, "seeing")).toEqual({ unread: ["pdf"], readers: ["reading"] });
  expect(check([picture], all, "blind")).toEqual({ unread: ["picture"], readers: ["seeing", "reading"] });
});

test("no warning is shown for a model that reads all, for text, and before the models are known", () => {
  expect(check([picture, pdf], [blind, reading], "reading")).toBeNull();
  expect(check([text], [blind], "blind")).toBeNull();
  expect(check([picture], [], "blind")).toBeNull();
  expect(check([picture], [seeing], "removed")).toBeNull();
});

test("a model that is not set up is not offered for unread files", () => {
  const off = { ...reading, available: false };
  expect(check([picture], [blind, off], "blind")).toEqual({ unread: ["picture"], readers: [] });
});

test("automatic choice warns only if no available model reads a kind of file", () => {
  expect(check([picture], [blind, seeing], AUTO_MODEL)).toBeNull();
  expect(check([picture], [blind, { ...seeing, available: false }], AUTO_MODEL)).toEqual({
    unread: ["picture"],
    readers: [],
  });
  expect(check([picture, pdf], [blind, seeing], AUTO_MODEL)).toEqual({ unread: ["pdf"], readers: [] });
  expect(check([picture], [{ ...blind, available: false }], AUTO_MODEL)).toBeNull();
});
