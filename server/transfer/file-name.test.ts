import { expect, it } from "vitest";
import { entryNameOf } from "./file-name.ts";

const ID = "00000000-0000-4000-8000-000000000001";

it.each([
  ["Report 2026.pdf", "Report 2026.pdf"],
  ["Résumé 漢字.tar.gz", "Résumé 漢字.tar.gz"],
  ["../../etc/passwd", "etc passwd"],
  ["C:\\Windows\\a:b?.txt", "C Windows a b.txt"],
  ["a\u202egpj.exe", "a gpj.exe"],
  ["line\r\nfeed\u0000.txt", "line feed.txt"],
  ["con", "con"],
  [".htaccess", "htaccess"],
  ["...", "file"],
  ["\u200b.md", "file.md"],
  ["trailing. .txt", "trailing.txt"],
  [`${"é".repeat(200)}.jpeg`, `${"é".repeat(50)}.jpeg`],
  [`a.${"x".repeat(100)}`, `a.${"x".repeat(48)}`],
  ["no extension.pdf/", "no extension.pdf"],
  ["a.p\u0301df", "a.p\u0301df"],
])("M5 the entry of a file named %j is readable and safe", (name, expected) => {
  expect(entryNameOf({ id: ID, name })).toBe(`files/${ID}-${expected}`);
});

it("M5 the entry of the longest name has at most 255 bytes", () => {
  const name = entryNameOf({ id: ID, name: `${"👩".repeat(300)}.${"x".repeat(10)}` });
  expect(Buffer.byteLength(name.slice("files/".length))).toBeLessThanOrEqual(255);
});
