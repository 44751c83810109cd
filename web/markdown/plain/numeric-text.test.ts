import { expect, test } from "vitest";
import { isNumericText } from "./numeric-text.ts";

test.each([
  ...["7", " 1,234.50 ", "1.234,50", "1 234,5", "1\u202f234", "1’234.50", "12,34,567", ".5", "007", "1.5e-9"],
  ...["+3", "-3", "−3", "± 0.2", "~5", "≈ 5", "< 1", "≥10", "(1,200)", "(€3.50)"],
  ...[
    "$5",
    "-$5",
    "$-5",
    "US$ 5",
    "5 €",
    "1.200,00 €",
    "EUR 12",
    "12 CHF",
    "120 kr",
    "kr 120",
    "99 Kč",
    "R$ 5",
    "₹1,00,000",
  ],
  ...["12%", "12 %", "3.5‰", "+4.2%", "%12"],
  ...["١٢٣", "١٬٢٣٤٫٥", "٪٥٠", "٥٠٪", "\u061c-٥", "१२३", "１２３％", "๑๒"],
])("the text %j is a number", (text) => expect(isNumericText(text)).toBe(true));

test.each([
  ...["", " ", "-", "%", "$", "n/a", "one", "kr", "Version 2", "2 apples", "1st", "v1.2", "10–20", "2024-05-01"],
  ...["12:30", "1/2", "3 of 4", "(", "()", "1,,2", "12 May", "5 km", "a1", `${"1,".repeat(30)}1`],
])("the text %j is no number", (text) => expect(isNumericText(text)).toBe(false));
