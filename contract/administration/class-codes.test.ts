import fc from "fast-check";
import { expect, it } from "vitest";
import { CLASS_CODE_ALPHABET, CLASS_CODE_LENGTH, formatClassCode, isClassCode, toClassCode } from "./class-codes.ts";

it.each([
  ["ABCD-EFGH", "ABCDEFGH"],
  [" abcd efgh ", "ABCDEFGH"],
  ["a b–c—d_e.f‑g h", "ABCDEFGH"],
  ["\u2066ABCD\u2069-EFGH\u200f", "ABCDEFGH"],
  ["oO0i-Il1L", "00011111"],
  ["u234-5678", "V2345678"],
  ["ＡＢＣＤ－２３４５", "ABCD2345"],
  ["٠١٢٣-۴۵۶۷", "01234567"],
])("reads the class code %j as %s", (typed, code) => {
  expect(toClassCode(typed)).toBe(code);
  expect(isClassCode(code)).toBe(true);
});

it.each(["", "ABCDEFG", "ABCDEFGHJ", "ABCDEFGÄ", "ABCD*EFG", "😀😀😀😀"])("%j is no class code", (typed) => {
  expect(isClassCode(toClassCode(typed))).toBe(false);
});

it("a class code that is formatted and read again is the same code", () => {
  const symbols = fc.constantFrom(...CLASS_CODE_ALPHABET);
  const codes = fc.string({ unit: symbols, minLength: CLASS_CODE_LENGTH, maxLength: CLASS_CODE_LENGTH });
  fc.assert(fc.property(codes, (code) => toClassCode(formatClassCode(code).toLowerCase()) === code));
  expect(["", "AB", "ABCD", "ABCDE", "ABCDEFGH"].map(formatClassCode)).toEqual([
    "",
    "AB",
    "ABCD",
    "ABCD-E",
    "ABCD-EFGH",
  ]);
});
