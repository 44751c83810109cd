import { expect, test } from "vitest";
import { isExtracted } from "#contract/files/files.ts";
import { shownKindOf } from "./file-kind.tsx";

test.each([
  ["message/rfc822", "letter.eml", "mail"],
  ["application/epub+zip", "novel.epub", "book"],
  ["application/x-ipynb+json", "study.ipynb", "notebook"],
  ["application/rtf", "letter.rtf", "document"],
  ["", "Letter.EML", "mail"],
  ["", "study.ipynb", "notebook"],
  ["text/plain", "data.ipynb", "text"],
  ["", "main.rs", "code"],
  ["", "notes", "text"],
  ["application/x-own", "a.own", "other"],
])("a file of the type “%s” with the name %s is shown as its kind", (type, name, kind) => {
  expect(shownKindOf(type, name)).toBe(kind);
});

test("pictures and layout are missing in the text of documents, not in that of source code", () => {
  for (const type of ["application/pdf", "message/rfc822", "application/rtf", "application/epub+zip"]) {
    expect(isExtracted(type)).toBe(true);
  }
  for (const type of ["text/plain", "", "application/json", "image/png"]) expect(isExtracted(type)).toBe(false);
});
