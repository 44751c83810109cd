import { expect, test, vi } from "vitest";
import { findQuote, QuoteSearch } from "./find-quote.ts";

const source =
  "The town’s bridge — built in 1886 —\n  carries “about 40,000” people a day. It was closed twice. Die Straße ist ﬁnster. 橋は１８８６年に建てられた。";

const found = (quote: string, text = source) => {
  const place = findQuote(text, quote);
  return place && text.slice(place.from, place.to);
};

test.each([
  ["as it stands", "It was closed twice.", "It was closed twice"],
  [
    "with other white space and signs",
    `The town's bridge - built in 1886 - carries "about 40,000" people`,
    source.slice(0, 67),
  ],
  ["in quotation marks", "“It was closed twice.”", "It was closed twice"],
  ["with emphasis", "It was **closed** twice", "It was closed twice"],
  ["in other letter case, and with a ligature", "die straße ist finster", "Die Straße ist ﬁnster"],
  ["with digits of another width", "橋は1886年に建てられた", "橋は１８８６年に建てられた"],
  ["that leaves words out", "The town’s bridge […] carries “about 40,000” people", source.slice(0, 67)],
  ["that ends a sentence earlier than its source", "built in 1886.", "built in 1886"],
])("a quote is found %s", (_, quote, expected) => {
  expect(found(quote)).toBe(expected);
});

test.each([
  ["other words", "It was closed three times."],
  ["another number", "built in 1887"],
  ["its pieces in another order", "people a day … built in 1886"],
  ["words of which one is missing", "The bridge carries about 40,000 people"],
  ["nothing", " “…” "],
])("a quote with %s is not found", (_, quote) => {
  expect(found(quote)).toBeUndefined();
});

test("the pieces of a quote must not be far apart", () => {
  const far = `The bridge was built. ${"x".repeat(2100)} It was closed.`;
  expect(found("The bridge was built … It was closed", far)).toBeUndefined();
  expect(found("The bridge was built … It was closed", far.replace("x".repeat(2000), ""))).toBeDefined();
});

test("a quote is found although its first words occur before, apart from the rest", () => {
  const text = `The bridge. ${"x".repeat(2100)} The bridge was closed.`;
  expect(found("The bridge … closed", text)).toBe("The bridge was closed");
});

test("a quote is found behind a character that stands for many", () => {
  expect(found("was closed", "\uFDFA It was closed.")).toBe("was closed");
  expect(found("\uFDFA It", "\uFDFA It was closed.")).toBe("\uFDFA It");
});

test("the text of a source is folded once for all its quotes", () => {
  const normalized = vi.spyOn(String.prototype, "normalize");
  const search = new QuoteSearch("橋".repeat(1000));
  for (let nth = 0; nth < 50; nth += 1) expect(search.find(`bridge ${nth}`)).toBeUndefined();
  expect(search.find("橋橋")).toEqual({ from: 0, to: 2 });
  expect(normalized.mock.calls.length).toBe(1002);
  normalized.mockRestore();
});
