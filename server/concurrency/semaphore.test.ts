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

/** Work for somebody, which records its name when it begins. */
function beginFor(turns: Semaphore, begun: string[], [network, account, name]: readonly [string, string, string]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    begun.push(name);
    await promise;
  };
  const outcome = turns.run(work, undefined, { network, account }).then(
    () => "done",
    (error: { code?: string }) => String(error.code),
  );
  return { end: resolve, outcome };
}

const newFairTurns = (maxWaiting: number) => new Semaphore({ atOnce: 1, maxWaiting, retryAfterSeconds: 2 });

it("K5 networks take turns, and within a network its accounts, each in its own order", async () => {
  const turns = newFairTurns(20);
  const begun: string[] = [];
  const works = [
    ["a", "flood", "a1"],
    ["a", "flood", "a2"],
    ["a", "flood", "a3"],
    ["a", "flood", "a4"],
    ["a", "neighbour", "n1"],
    ["a", "neighbour", "n2"],
    ["b", "other", "b1"],
    ["c", "other", "c1"],
  ] as const;
  for (const work of works.map((flow) => beginFor(turns, begun, flow))) work.end();
  await settle();
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "n1", "a3", "n2", "a4"]);
});

it("K5 a flow that is served goes behind those that came meanwhile", async () => {
  const turns = newFairTurns(20);
  const begun: string[] = [];
  const flood = Array.from({ length: 4 }, (_, at) => beginFor(turns, begun, ["a", "flood", `a${at}`]));
  flood[0]?.end();
  await settle();
  for (const name of ["b", "c"]) beginFor(turns, begun, [name, "other", name]).end();
  for (const work of flood) work.end();
  await settle();
  expect(begun).toEqual(["a0", "a1", "a2", "b", "c", "a3"]);
});

it("K5 where the queue is full the newest of the flow with the most is refused, whoever comes", async () => {
  const turns = newFairTurns(4);
  const begun: string[] = [];
  const running = beginFor(turns, begun, ["x", "x", "running"]);
  const flood = Array.from({ length: 4 }, (_, at) => beginFor(turns, begun, ["a", "flood", `a${at}`]));
  expect(await beginFor(turns, begun, ["a", "flood", "a4"]).outcome).toBe("unavailable");
  const neighbour = beginFor(turns, begun, ["a", "neighbour", "n"]);
  expect(await flood[3]?.outcome).toBe("unavailable");
  const other = beginFor(turns, begun, ["b", "other", "b"]);
  expect(await flood[2]?.outcome).toBe("unavailable");
  for (const work of [running, ...flood, neighbour, other]) work.end();
  await settle();
  expect(begun).toEqual(["running", "a0", "b", "n", "a1"]);
});

it("K5 a newcomer whose flow has as many as any other removes nothing of theirs", async () => {
  const turns = newFairTurns(2);
  const begun: string[] = [];
  const [running, first, second] = ["x", "a", "b"].map((name) => beginFor(turns, begun, [name, "one", name]));
  expect(await beginFor(turns, begun, ["c", "one", "c"]).outcome).toBe("unavailable");
  for (const work of [running, first, second]) work?.end();
  expect(await Promise.all([first?.outcome, second?.outcome])).toEqual(["done", "done"]);
});
