import { describe, expect, it } from "vitest";
import { cleanFileName } from "./file-name.ts";

const bytesOf = (text: string) => Buffer.byteLength(text);

describe("M5 the name of a file", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["/etc/passwd", "passwd"],
    ["C:\\Users\\Ada\\notes.txt", "notes.txt"],
    ["..\\..\\x", "x"],
    ["a/b\\", "file"],
    ["photo\u202Egpj.exe", "photogpj.exe"],
    ["\u2066a\u2069\u200Fb\u061C.txt", "ab.txt"],
    ["a\r\nSet-Cookie: x=1\u0007.txt", "a Set-Cookie: x=1.txt"],
    ["a\u2028b\u2029c\u0085d", "a b cd"],
    ["a \u200B b.txt", "a b.txt"],
    ["\uFEFFa\u00ADb\u{E0041}.txt", "ab.txt"],
    ["\uE000\u{F0000}x", "x"],
    ["\uD83Dx\0y", "\uFFFDx\uFFFDy"],
    ["  a   b.txt ", "a b.txt"],
    ["", "file"],
    [".", "file"],
    ["..", "file"],
    [". .", "file"],
    ["\u202E\u200B", "file"],
    [".htaccess", ".htaccess"],
    ["CON.txt", "CON.txt"],
    [`a"b\\c";d='e.html`, `c";d='e.html`],
    ["<img src=x onerror=alert(1)>.svg", "<img src=x onerror=alert(1)>.svg"],
    ["fjord.tar.gz", "fjord.tar.gz"],
    ["日本語 ملف.pdf", "日本語 ملف.pdf"],
  ])("cleans the file name %j to %j", (given, cleaned) => {
    expect(cleanFileName(given)).toBe(cleaned);
    expect(cleanFileName(cleaned)).toBe(cleaned);
  });

  it.each([
    ["x".repeat(300), "x".repeat(255)],
    [`${"x".repeat(300)}.pdf`, `${"x".repeat(251)}.pdf`],
    [`${"é".repeat(128)}.pdf`, `${"é".repeat(125)}.pdf`],
    [`${"日".repeat(85)}`, "日".repeat(85)],
    [`${"日".repeat(86)}`, "日".repeat(85)],
    [`x.${"y".repeat(300)}`, `x.${"y".repeat(253)}`],
    [`${"👍🏽".repeat(40)}.png`, `${"👍🏽".repeat(31)}.png`],
    [`a${"\u0301".repeat(200)}.txt`, "file.txt"],
    ["y".repeat(2_000_000), "y".repeat(255)],
    [`${"x".repeat(250)}   .txt`, `${"x".repeat(250)} .txt`],
  ])("cuts a file name of more than 255 bytes between characters and before its extension (%#)", (given, cleaned) => {
    expect(cleanFileName(given)).toBe(cleaned);
    expect(bytesOf(cleaned)).toBeLessThanOrEqual(255);
  });

  it("a cut file name has no part of a character and no joiner", () => {
    const family = cleanFileName(`${"👩‍👩‍👧‍👦".repeat(20)}.png`);
    expect(family).toMatch(/^(?:👩👩👧👦)+(?:👩👩👧|👩👩|👩)?\.png$/u);
    expect(family.isWellFormed()).toBe(true);
  });
});
