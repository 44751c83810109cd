import { afterEach, expect, test, vi } from "vitest";
import { Backoff } from "./backoff.ts";

afterEach(() => void vi.restoreAllMocks());

function pauses(backoff: Backoff, most = 1000): number[] {
  const all: number[] = [];
  for (let pause = backoff.next(); pause !== null && all.length < most; pause = backoff.next()) all.push(pause);
  return all;
}

test("pauses grow to eight seconds and end after two minutes in total", () => {
  vi.spyOn(Math, "random").mockReturnValue(0.999999);
  const all = pauses(new Backoff());
  expect(all.slice(0, 6).map(Math.round)).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  const sum = all.reduce((total, pause) => total + pause, 0);
  expect(sum).toBeGreaterThanOrEqual(119_000);
  expect(sum).toBeLessThan(128_000);
});

test("R28: pages that lost the server at the same moment retry at different times", () => {
  const second = Array.from({ length: 500 }, () => {
    const backoff = new Backoff();
    return (backoff.next() ?? 0) + (backoff.next() ?? 0) + (backoff.next() ?? 0);
  });
  const inOneTenth = Array.from(
    { length: 40 },
    (_, tenth) => second.filter((ms) => Math.floor(ms / 100) === tenth).length,
  );
  expect(Math.max(...inOneTenth)).toBeLessThan(100);
});

test("the backoff respects Retry-After within bounds", () => {
  const backoff = new Backoff();
  expect(backoff.next(3000)).toBe(3000);
  expect(backoff.next(3_600_000)).toBe(8000);
});

test("the backoff does not count time without a network, and starts again after a reset", () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const backoff = new Backoff();
  expect(pauses(backoff, 500)).toHaveLength(500);
  backoff.reset();
  expect(backoff.next()).toBeLessThanOrEqual(500);
});
