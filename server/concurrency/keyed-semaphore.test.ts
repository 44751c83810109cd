import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KeyedSemaphore } from "./keyed-semaphore.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const { signal: stays } = new AbortController();
const newSemaphore = () => new KeyedSemaphore({ atOnce: 2, maxWaiting: 20, maxWaitMs: 30_000, retryAfterSeconds: 10 });
const flow = { network: "a", account: "ada" };
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Starts work that ends when the test says so. */
function begin(semaphore: KeyedSemaphore, signal = stays) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = { isRunning: false, end: resolve, outcome: Promise.resolve("") };
  work.outcome = semaphore
    .run(
      flow,
      () => {
        work.isRunning = true;
        return promise;
      },
      signal,
    )
    .then(
      () => "done",
      (error: { code?: string; message?: string }) => String(error.code ?? error.message),
    );
  return work;
}

it("runs two jobs at a time, the others in FIFO order, also after one that fails", async () => {
  const semaphore = newSemaphore();
  const works = [begin(semaphore), begin(semaphore), begin(semaphore), begin(semaphore)];
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

it("refuses a job with unavailable after a timeout or in a full queue, without occupying a slot", async () => {
  const semaphore = newSemaphore();
  const running = [begin(semaphore), begin(semaphore)];
  const waiting = Array.from({ length: 20 }, () => begin(semaphore));
  expect(await begin(semaphore).outcome).toBe("unavailable");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(new Set(await Promise.all(waiting.map(({ outcome }) => outcome)))).toEqual(new Set(["unavailable"]));
  for (const { end } of running) end();
  await settle();
  const late = [begin(semaphore), begin(semaphore)];
  await settle();
  expect(late.map(({ isRunning }) => isRunning)).toEqual([true, true]);
});

it("removes aborted waiters from the queue of the semaphore", async () => {
  const semaphore = newSemaphore();
  const running = [begin(semaphore), begin(semaphore)];
  const leaving = new AbortController();
  const [gone, next] = [begin(semaphore, leaving.signal), begin(semaphore)];
  leaving.abort(new Error("gone"));
  running[0]?.end();
  await settle();
  expect([await gone?.outcome, gone?.isRunning, next?.isRunning]).toEqual(["gone", false, true]);
});

/** Starts work of a flow, which records its name when it runs. */
function beginFor(
  semaphore: KeyedSemaphore,
  begun: string[],
  [network, account, name]: readonly [string, string, string],
) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = async () => {
    begun.push(name);
    await promise;
  };
  const outcome = semaphore.run({ network, account }, work).then(
    () => "done",
    (error: { code?: string }) => String(error.code),
  );
  return { end: resolve, outcome };
}

const newFairSemaphore = (maxWaiting: number) => new KeyedSemaphore({ atOnce: 1, maxWaiting, retryAfterSeconds: 2 });

it("K5 serves networks round-robin, within a network its accounts, and each in FIFO order", async () => {
  const semaphore = newFairSemaphore(20);
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
  for (const work of works.map((flow) => beginFor(semaphore, begun, flow))) work.end();
  await settle();
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "n1", "a3", "n2", "a4"]);
});

it("K5 serves a flow after those that arrived meanwhile", async () => {
  const semaphore = newFairSemaphore(20);
  const begun: string[] = [];
  const flood = Array.from({ length: 4 }, (_, at) => beginFor(semaphore, begun, ["a", "flood", `a${at}`]));
  flood[0]?.end();
  await settle();
  for (const name of ["b", "c"]) beginFor(semaphore, begun, [name, "other", name]).end();
  for (const work of flood) work.end();
  await settle();
  expect(begun).toEqual(["a0", "a1", "a2", "b", "c", "a3"]);
});

it("K5 refuses the newest waiter of the longest flow when the queue is full", async () => {
  const semaphore = newFairSemaphore(4);
  const begun: string[] = [];
  const running = beginFor(semaphore, begun, ["x", "x", "running"]);
  const flood = Array.from({ length: 4 }, (_, at) => beginFor(semaphore, begun, ["a", "flood", `a${at}`]));
  expect(await beginFor(semaphore, begun, ["a", "flood", "a4"]).outcome).toBe("unavailable");
  const neighbour = beginFor(semaphore, begun, ["a", "neighbour", "n"]);
  expect(await flood[3]?.outcome).toBe("unavailable");
  const other = beginFor(semaphore, begun, ["b", "other", "b"]);
  expect(await flood[2]?.outcome).toBe("unavailable");
  for (const work of [running, ...flood, neighbour, other]) work.end();
  await settle();
  expect(begun).toEqual(["running", "a0", "b", "n", "a1"]);
});

it("K5 evicts nothing of a flow that is no longer than the newcomer's", async () => {
  const semaphore = newFairSemaphore(2);
  const begun: string[] = [];
  const [running, first, second] = ["x", "a", "b"].map((name) => beginFor(semaphore, begun, [name, "one", name]));
  expect(await beginFor(semaphore, begun, ["c", "one", "c"]).outcome).toBe("unavailable");
  for (const work of [running, first, second]) work?.end();
  expect(await Promise.all([first?.outcome, second?.outcome])).toEqual(["done", "done"]);
});

const perAccount = { atOnce: 1, maxWaiting: 1, retryAfterSeconds: 1 };

it("runs one job per account at a time, also from several networks, if accounts are limited", async () => {
  const semaphore = new KeyedSemaphore({ atOnce: 2, maxWaiting: 20, perAccount });
  const begun: string[] = [];
  const first = beginFor(semaphore, begun, ["a", "one", "a1"]);
  const works = [
    beginFor(semaphore, begun, ["b", "one", "a2"]),
    beginFor(semaphore, begun, ["a", "two", "b1"]),
    beginFor(semaphore, begun, ["b", "three", "c1"]),
  ];
  await settle();
  expect(begun).toEqual(["a1", "b1"]);
  works[1]?.end();
  await settle();
  expect(begun).toEqual(["a1", "b1", "c1"]);
  first.end();
  await settle();
  expect(begun).toEqual(["a1", "b1", "c1", "a2"]);
  for (const work of works) work.end();
  expect(await Promise.all(works.map(({ outcome }) => outcome))).toEqual(["done", "done", "done"]);
});

it("refuses the older waiter of an account for a newer one, which takes its position", async () => {
  const semaphore = new KeyedSemaphore({ atOnce: 1, maxWaiting: 2, perAccount });
  const begun: string[] = [];
  const works = [
    ["a", "one", "a1"],
    ["a", "one", "a2"],
    ["a", "two", "b1"],
    ["a", "one", "a3"],
    ["a", "three", "c1"],
  ] as const;
  const running = works.map((flow) => beginFor(semaphore, begun, flow));
  for (const work of running) work.end();
  const outcomes = await Promise.all(running.map(({ outcome }) => outcome));
  expect(outcomes).toEqual(["done", "too-many-requests", "done", "done", "unavailable"]);
  expect(begun).toEqual(["a1", "a3", "b1"]);
});

it("refuses waiters of an account whose queue length is 0 until the slot is released; releasing twice has no effect", async () => {
  const semaphore = new KeyedSemaphore({ atOnce: 9, maxWaiting: 9, perAccount: { ...perAccount, maxWaiting: 0 } });
  const release = await semaphore.acquire(flow);
  await expect(semaphore.acquire(flow)).rejects.toMatchObject({ code: "too-many-requests" });
  release();
  release();
  await semaphore.acquire(flow);
  await expect(semaphore.acquire(flow)).rejects.toMatchObject({ code: "too-many-requests" });
});

it("K10 leaves slots to other networks", async () => {
  const semaphore = new KeyedSemaphore({ atOnce: 3, maxWaiting: 20, spareForNetworks: 1 });
  const begun: string[] = [];
  const works = ["a1", "a2", "a3"].map((name) => beginFor(semaphore, begun, ["a", name, name]));
  works.push(beginFor(semaphore, begun, ["b", "b1", "b1"]));
  await settle();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  works[0]?.end();
  await settle();
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
});

it("K10 a client that repeats a request which has timed out retains its position among its neighbours", async () => {
  const semaphore = new KeyedSemaphore({ atOnce: 1, maxWaiting: 20, maxWaitMs: 30_000 });
  const begun: string[] = [];
  const running = beginFor(semaphore, begun, ["a", "flood 1", "running"]);
  const late = beginFor(semaphore, begun, ["a", "person", "late"]);
  expect(await Promise.all([late.outcome, vi.advanceTimersByTimeAsync(30_000)])).toContain("unavailable");
  const flood = [2, 3, 4].map((at) => beginFor(semaphore, begun, ["a", `flood ${at}`, `flood ${at}`]));
  const again = beginFor(semaphore, begun, ["a", "person", "again"]);
  for (const work of [running, ...flood, again]) work.end();
  await settle();
  expect(begun).toEqual(["running", "again", "flood 2", "flood 3", "flood 4"]);
});

it("K10 a position is given up after a minute without another attempt", async () => {
  const semaphore = new KeyedSemaphore({ atOnce: 1, maxWaiting: 20, maxWaitMs: 30_000 });
  const begun: string[] = [];
  const running = beginFor(semaphore, begun, ["a", "flood 1", "running"]);
  const late = beginFor(semaphore, begun, ["a", "person", "late"]);
  expect(await Promise.all([late.outcome, vi.advanceTimersByTimeAsync(30_000)])).toContain("unavailable");
  await vi.advanceTimersByTimeAsync(60_000);
  const next = beginFor(semaphore, begun, ["a", "flood 1", "next"]);
  running.end();
  next.end();
  await settle();
  const held = beginFor(semaphore, begun, ["a", "flood 2", "held"]);
  const other = beginFor(semaphore, begun, ["a", "flood 3", "other"]);
  const again = beginFor(semaphore, begun, ["a", "person", "again"]);
  for (const work of [held, other, again]) work.end();
  await settle();
  expect(begun).toEqual(["running", "next", "held", "other", "again"]);
});

it("refuses waiting and new jobs once the semaphore is closed", async () => {
  const semaphore = newSemaphore();
  const works = [begin(semaphore), begin(semaphore), begin(semaphore)];
  await settle();
  semaphore[Symbol.dispose]();
  works.push(begin(semaphore));
  for (const { end } of works) end();
  expect(await Promise.all(works.map(({ outcome }) => outcome))).toEqual([
    "done",
    "done",
    "unavailable",
    "unavailable",
  ]);
});
