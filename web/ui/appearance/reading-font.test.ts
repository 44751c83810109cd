import { expect, test } from "vitest";
import { typefaceOf } from "./reading-font.ts";

test.each([
  "Words, and more words.",
  "Größe, été, Žižka, Tiếng Việt",
  "Луна притягивает Землю.",
  "Η Σελήνη έλκει τη Γη.",
  "The word 潮 means tide, and مد is Arabic for it.",
  "1 + 1 = 2",
  "",
])("Source Serif covers the script of %j", (text) => expect(typefaceOf(text)).toBeUndefined());

test.each([
  "海はその方向に伸びます。",
  "海はその方向に伸びるため、二つのふくらみができます。JavaScript の Date を渡してください。",
  "يجذب القمر الجانب القريب من الأرض.",
  "달은 지구의 가까운 쪽을 더 세게 당긴다.",
  "## 月は `a`",
])("Inter and the typefaces of the system serve the script of %j", (text) => expect(typefaceOf(text)).toBe("sans"));

test("the first words decide the typeface, so that a growing answer keeps it", () => {
  const begun = "The Moon pulls the near side of the Earth a little more strongly.";
  expect(typefaceOf(begun + "海".repeat(500))).toBeUndefined();
});
