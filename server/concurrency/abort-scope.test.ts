import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AbortScope } from "./abort-scope.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("a time limit that is paused resumes with the rest of its time", () => {
  using scope = new AbortScope({ ms: 100 });
  vi.advanceTimersByTime(60);
  scope.pause();
  vi.advanceTimersByTime(1000);
  scope.resume();
  vi.advanceTimersByTime(39);
  expect(scope.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(scope.signal.reason).toMatchObject({ name: "TimeoutError" });
});

it("a time limit can be replaced by another one from now on", () => {
  using scope = new AbortScope({ ms: 100 });
  vi.advanceTimersByTime(60);
  scope.resume(200);
  vi.advanceTimersByTime(199);
  expect(scope.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(scope.signal.aborted).toBe(true);
});

it("a scope without a time limit has none after a pause, and a disposed one does not abort any more", () => {
  using endless = new AbortScope({});
  endless.pause();
  endless.resume();
  const disposed = new AbortScope({ ms: 10 });
  disposed[Symbol.dispose]();
  disposed.resume();
  vi.advanceTimersByTime(1000);
  expect([endless.signal.aborted, disposed.signal.aborted]).toEqual([false, false]);
});
