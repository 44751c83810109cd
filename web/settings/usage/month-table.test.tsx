import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { ModelUsage, MonthUsage } from "#contract/models/usage.ts";
import "../../testing/english-texts.ts";
import { MonthTable } from "./month-table.tsx";

afterEach(cleanup);

const plain: ModelUsage = {
  model: "LOCAL:plain",
  calls: 1,
  inputTokens: 40,
  outputTokens: 8,
  cost: null,
  estimated: 0,
  unpriced: 1,
};
const cached: ModelUsage = {
  ...plain,
  model: "CLAUDE:cached",
  inputTokens: 1204,
  cachedInputTokens: 800,
  cacheWriteTokens: 100,
  outputTokens: 512,
  reasoningTokens: 300,
};
const monthOf = (...models: ModelUsage[]): MonthUsage => ({ ...plain, month: "2026-11", models });
const rows = () => screen.getAllByRole("row").map(({ textContent }) => textContent);

test("the usage of a month names the shares of a model's tokens below its numbers", () => {
  render(<MonthTable usage={monthOf(cached)} />);
  expect(rows().slice(1)).toEqual([
    "cached1 call1,204512–",
    "Tokens in: of which 800 from the cache, of which 100 written to the cacheTokens out: of which 300 reasoning",
  ]);
});

test("the usage of a month shows no shares that are 0, or that no provider reported", () => {
  render(<MonthTable usage={monthOf(plain, { ...cached, cachedInputTokens: 0, cacheWriteTokens: 0 })} />);
  expect(rows().slice(1)).toEqual([
    "plain1 call408–",
    "cached1 call1,204512–",
    "Tokens out: of which 300 reasoning",
    "Total1 call408–",
  ]);
});
