import { describe, expect, it } from "vitest";
import { logicalLine } from "./right-to-left.ts";

/** Pieces that are drawn from left to right. */
const drawn = (...texts: string[]) => texts.map((text, at) => ({ text, at: 10 * at }));
/** Pieces that are drawn from right to left, in their logical order. */
const drawnLogically = (...texts: string[]) => texts.map((text, at) => ({ text, at: -10 * at }));

describe("lines of a PDF from right to left", () => {
  it("an Arabic line that is drawn letter by letter gets its logical order and its letters", () => {
    // Final meem, lam with alef, initial seen.
    expect(logicalLine(drawn("\uFEE1", "\uFEFC", "\uFEB3"))).toBe("سلام");
  });

  it("an Arabic line stays as it is if its letters are drawn from right to left", () => {
    expect(logicalLine(drawnLogically("\uFEB3", "\uFEFC", "\uFEE1"))).toBe("سلام");
  });

  it("an Arabic line keeps words of Latin letters and numbers from left to right", () => {
    const line = drawn("العالم", " ", "Parley", " ", "App", " ", "2", "0", " ", "٤", "٥", " ", "مرحبا");
    expect(logicalLine(line)).toBe("مرحبا ٤٥ Parley App 20 العالم");
  });

  it("a Hebrew line has its brackets mirrored", () => {
    expect(logicalLine(drawn("[", "45", "]", " ", "סוף", " ", "(", "עולם", ")", " ", "שלום"))).toBe(
      "שלום (עולם) סוף [45]",
    );
  });

  it("an English line with Arabic words reverses only these", () => {
    expect(logicalLine(drawn("See ", "نص", " ", "2024", " ", "عربي", " end"))).toBe("See عربي 2024 نص end");
  });

  it("a line without letters from right to left is not changed", () => {
    expect(logicalLine(drawn("x²", " (", "½", ") ", "ﬁn"))).toBe("x² (½) ﬁn");
  });

  it("a line of many pieces is ordered in linear time", () => {
    const pieces = Array.from({ length: 100_000 }, (_, at) => ({ text: at % 2 === 0 ? "(" : "ש", at }));
    expect(logicalLine(pieces)).toHaveLength(100_000);
  });
});
