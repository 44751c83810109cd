import { expect, test } from "vitest";
import "../locales/i18n.ts";
import { waitText } from "./wait-text.ts";

test.each([
  [0, "1 second"],
  [1000, "1 second"],
  [1001, "2 seconds"],
  [60_000, "60 seconds"],
  [61_000, "2 minutes"],
  [900_000, "15 minutes"],
  [3_600_000, "60 minutes"],
  [3_600_001, "2 hours"],
  [24 * 3_600_000, "24 hours"],
])("B5 a wait of %i ms is shown as %s", (ms, words) => {
  expect(waitText(ms)).toBe(words);
});
