import { expect, test } from "vitest";
import { folderSizeProblems } from "./folder-sizes.ts";

const files = (folder: string, count: number, isTest = false) =>
  Array.from({ length: count }, (_, n) => ({ path: `${folder}/file-${n}.ts`, isTest }));

test("a folder with more than 20 source files is reported", () => {
  const all = [...files("web/chats", 21), ...files("web/chats/state", 5)];
  expect(folderSizeProblems(all)).toEqual(["web/chats has 21 source files, 20 are allowed."]);
});

test("tests, subfolders, migrations and folders of scripts do not count", () => {
  const all = [
    ...files("web/chats", 20),
    ...files("web/chats", 9, true),
    ...files("web/chats/state", 20),
    ...files("server/database/migrations", 40),
    ...files("scripts", 40),
  ];
  expect(folderSizeProblems(all)).toEqual([]);
});
