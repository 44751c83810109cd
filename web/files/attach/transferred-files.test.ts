import { expect, test } from "vitest";
import { carriesFiles, droppedFiles, LONG_PASTE_CHARS, longPaste, pastedFiles } from "./transferred-files.ts";

const picture = new File(["x"], "image.png", { type: "image/png" });
const report = new File(["x"], "report.pdf");

const clipboard = (text: string, ...files: File[]) => ({
  files,
  getData: (type: string) => (type === "text/plain" ? text : "<b>x</b>"),
});

test.each([
  ["a screenshot", clipboard("", picture), ["image.png"]],
  ["a picture of another page, which has HTML too", clipboard("", picture), ["image.png"]],
  ["cells of an office program, which have a picture too", clipboard("a\tb\r\n1\t2", picture), []],
  ["files of a file manager, which have their names as text", clipboard("report.pdf", report), ["report.pdf"]],
  [
    "files of a file manager with paths",
    clipboard("/home/ada/report.pdf\n/home/ada/image.png", report, picture),
    ["report.pdf", "image.png"],
  ],
  ["text", clipboard("words"), []],
])("takes the files of a paste: %s", (_name, data, names) => {
  expect(pastedFiles(data).map(({ name }) => name)).toEqual(names);
});

test("only a drag of files counts as one of files", () => {
  expect(carriesFiles({ types: ["Files"] })).toBe(true);
  expect(carriesFiles({ types: ["text/uri-list", "text/plain"] })).toBe(false);
});

test("dropped folders are distinguished from files", () => {
  const item = (file: File, isDirectory: boolean) => ({
    ...{ kind: "file", getAsFile: () => file },
    webkitGetAsEntry: () => ({ isDirectory }),
  });
  const items = [item(report, false), item(new File([], "folder"), true), { ...item(report, false), kind: "string" }];
  const dropped = droppedFiles({ items });
  expect([dropped.files.map(({ name }) => name), dropped.folders]).toEqual([["report.pdf"], 1]);
});

test("only a long pasted text becomes a file, with all of its words", async () => {
  expect(longPaste(clipboard("x".repeat(LONG_PASTE_CHARS)))).toBeNull();
  const text = `${"Wörter\n".repeat(2000)}the end`;
  const file = longPaste(clipboard(text));
  expect([file?.name, file?.type, await file?.text()]).toEqual(["pasted-text.txt", "text/plain", text]);
});
