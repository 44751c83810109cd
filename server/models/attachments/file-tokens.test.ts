import { expect, test } from "vitest";
import { pdfTokens, pictureTokens } from "./file-tokens.ts";

// Examples of the providers' documentation: their own counts are lower bounds of the estimate.
test.each([
  ["Anthropic", 1000, 1000, 1334],
  ["Anthropic", 1092, 1092, 1590],
  ["Anthropic", 1920, 1080, 2765],
  ["Anthropic's limit", 2576, 2576, 4784],
  ["OpenAI's tiles", 1024, 1024, 765],
  ["OpenAI's tiles", 2048, 4096, 1105],
  ["OpenAI's smallest tile", 1, 1, 255],
  ["OpenAI's patches of gpt-4.1-nano", 1024, 1024, 2520],
  ["OpenAI's patches of gpt-4.1-nano", 1800, 2400, 3572],
  ["OpenAI's original patches", 2048, 2048, 4096],
])("a picture has at least as many tokens as %s counts for %d × %d", (_, width, height, least) => {
  expect(pictureTokens(width, height)).toBeGreaterThanOrEqual(least);
});

test.each([
  [1, 1, 255],
  [640, 480, 738],
  [1024, 1024, 2520],
  [2048, 2048, 4784],
])("a picture of %d × %d has the largest of the providers' counts: %d", (width, height, tokens) => {
  expect(pictureTokens(width, height)).toBe(tokens);
});

test("a picture of any size, and of an unknown one, has at most 10,000 tokens", () => {
  expect(pictureTokens(50_000, 1000)).toBe(10_000);
  expect(pictureTokens(undefined, undefined)).toBe(10_000);
});

test("a PDF has at least 3,000 tokens a page, and more if its pages have more text", () => {
  expect(pdfTokens(10, 0)).toBe(30_000);
  expect(pdfTokens(10, 14_000)).toBe(30_000);
  expect(pdfTokens(10, 50_000)).toBe(66_000);
});
