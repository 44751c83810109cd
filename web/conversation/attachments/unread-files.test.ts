import { expect, test } from "vitest";
import { AUTO_MODEL, type ModelOption } from "#contract/models/models.ts";
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

test("automatic choice warns by the model that the server asks first: the one that receives most of the files", () => {
  const order = (...models: ModelOption[]) => models.map((each, automatic) => ({ ...each, automatic }));
  expect(check([picture], order(blind, seeing), AUTO_MODEL)).toBeNull();
  expect(check([picture, pdf], order(blind, seeing), AUTO_MODEL)).toEqual({ unread: ["pdf"], readers: [] });
  expect(check([picture], order(blind, { ...seeing, available: false }), AUTO_MODEL)).toEqual({
    unread: ["picture"],
    readers: [],
  });
  expect(check([picture], order({ ...blind, available: false }), AUTO_MODEL)).toBeNull();
});

test("automatic choice warns if only a model that it never asks receives the files, and offers that model", () => {
  const models = [{ ...blind, automatic: 0 }, seeing];
  expect(check([picture], models, AUTO_MODEL)).toEqual({ unread: ["picture"], readers: ["seeing"] });
});

test("automatic choice asks the first one of its own order among equal readers", () => {
  const scanning = model("scanning", { pdf: true });
  const models = [
    { ...seeing, automatic: 1 },
    { ...scanning, automatic: 0 },
  ];
  expect(check([picture, pdf], models, AUTO_MODEL)?.unread).toEqual(["picture"]);
});

test("a hidden model counts for automatic choice, and is not offered", () => {
  const groups = (...models: ModelOption[]) => [{ label: "Models", models }];
  const all = groups({ ...blind, automatic: 0 }, { ...seeing, automatic: 1 }, reading);
  expect(unreadFiles([picture], groups({ ...blind, automatic: 0 }), AUTO_MODEL, all)).toBeNull();
  expect(unreadFiles([picture, pdf], groups({ ...blind, automatic: 0 }), AUTO_MODEL, all)?.readers).toEqual([]);
});
