import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Semaphore } from "./semaphore.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const { signal: stays } = new AbortController();
const newTurns = () => new Semaphore({ atOnce: 2, maxWaiting: 20, maxWaitMs: 30_000, retryAfterSeconds: 10 });
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Work that ends when it is told to. */
function begin(turns: Semaphore, signal = stays) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = { isRunning: false, end: resolve, outcome: Promise.resolve("") };
  work.outcome = turns
    .run(() => {
      work.isRunning = true;
      return promise;
    }, signal)
    .then(
      () => "done",
      (error: { code?: string; message?: string }) => String(error.code ?? error.message),
    );
  return work;
}

it("two work at once, the others in their order, also after one that fails", async () => {
  const turns = newTurns();
  const works = [begin(turns), begin(turns), begin(turns), begin(turns)];
  const running = () => works.map(({ isRunning }) => isRunning);
  await settle();
  expect(running()).toEqual([true, true, false, false]);
  works[1]?.end(Promise.reject(new Error("broken")));
  await settle();
  expect(running()).toEqual([true, true, true, false]);
  works[0]?.end();
  await settle();
  expect(running()).toEqual([true, true, true, true]);
  for (const { end } of works) end();
  expect(await Promise.all(works.map(({ outcome }) => outcome))).toEqual(["done", "broken", "done", "done"]);
});

it("who waits too long, or behind too many, hears that it is not available, and holds no place", async () => {
  const turns = newTurns();
  const running = [begin(turns), begin(turns)];
  const waiting = Array.from({ length: 20 }, () => begin(turns));
  expect(await begin(turns).outcome).toBe("unavailable");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(new Set(await Promise.all(waiting.map(({ outcome }) => outcome)))).toEqual(new Set(["unavailable"]));
  for (const { end } of running) end();
  await settle();
  const late = [begin(turns), begin(turns)];
  await settle();
  expect(late.map(({ isRunning }) => isRunning)).toEqual([true, true]);
});

it("who has gone takes no turn", async () => {
  const turns = newTurns();
  const running = [begin(turns), begin(turns)];
  const leaving = new AbortController();
  const [gone, next] = [begin(turns, leaving.signal), begin(turns)];
  leaving.abort(new Error("gone"));
  running[0]?.end();
  await settle();
  expect([await gone?.outcome, gone?.isRunning, next?.isRunning]).toEqual(["gone", false, true]);
});
