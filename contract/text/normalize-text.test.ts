import { expect, it } from "vitest";
import { normalizeText } from "./normalize-text.ts";

const acute = "\u0301";
const below = "\u0316";

it("K1 keeps any 16 combining marks of a base character", () => {
  expect(normalizeText(`b${acute.repeat(16)}b`, "NFC")).toBe(`b${acute.repeat(16)}b`);
  expect(normalizeText(`b${acute.repeat(100)}b${below.repeat(17)}`, "NFC")).toBe(
    `b${acute.repeat(16)}b${below.repeat(16)}`,
  );
  // Normalisation sorts marks by their canonical combining class: marks below (220) come before marks above (230).
  expect(normalizeText(`b${acute.repeat(10)}${below.repeat(10)}`, "NFC")).toBe(
    `b${below.repeat(6)}${acute.repeat(10)}`,
  );
  expect(normalizeText(`ｶ${"ﾞ".repeat(100)}`, "NFKD")).toBe(`カ${"\u3099".repeat(16)}`);
  expect(normalizeText(`x${"\u{1d165}".repeat(100)}`, "NFC")).toBe(`x${"\u{1d165}".repeat(16)}`);
});

it("K1 keeps 16 vowels and finals of one Hangul syllable, and decomposed Korean unchanged", () => {
  expect(normalizeText(`\u1100${"\u1161".repeat(100)}`, "NFC")).toBe(`가${"\u1161".repeat(15)}`);
  expect(normalizeText(`각${"\u11a8".repeat(100)}`, "NFC")).toBe(`각${"\u11a8".repeat(16)}`);
  const korean = "대한민국 헌법 제일조 ".repeat(20);
  expect(normalizeText(korean.normalize("NFD"), "NFC")).toBe(korean);
});

it.each(["NFC", "NFKC", "NFKD"] as const)("bounded normalisation equals %s for any text that people write", (form) => {
  const text = "Crème brûlée, Ὀδυσσεύς, हिन्दी, ไม่, شُكْرًا, שָׁלוֹם, Việt Nam, が ｶﾞ, ﬁ ﷺ, 👩‍👩‍👧, z̸̢̛a̷̧͝l̶̨͠g̵͜͝o̴";
  for (const given of [text, text.normalize("NFD")]) expect(normalizeText(given, form)).toBe(given.normalize(form));
});
