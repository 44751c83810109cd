import { setImmediate } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { FairSlices, SLICE_MS } from "./fair-slices.ts";
import { HeavyReads } from "./heavy-reads.ts";

afterEach(() => vi.restoreAllMocks());

const ada = { network: "A", account: "ada" };
const eve = { network: "B", account: "eve" };
const mallory = { network: "B", account: "mallory" };

it("K9 one long read works in each iteration of the event loop, and networks and accounts take turns", async () => {
  let now = 0;
  // Each piece of work takes a whole slice.
  vi.spyOn(performance, "now").mockImplementation(() => (now += SLICE_MS));
  const slices = new FairSlices();
  const order: string[] = [];
  let iteration = 0;
  const iterations = new Set<number>();
  const read = async (flow: typeof ada) => {
    for (let at = 0; at < 3; at++) {
      await slices.step(flow);
      order.push(flow.account);
      iterations.add(iteration);
    }
  };
  let isDone = false;
  const reads = Promise.all([read(eve), read(eve), read(mallory), read(ada)]).then(() => (isDone = true));
  for (; !isDone; iteration++) await setImmediate();
  await reads;
  expect(order).toHaveLength(12);
  expect(iterations.size).toBe(12);
  // Network A has its slices among those of the three readers of network B.
  expect(order.slice(0, 6).filter((account) => account === "ada")).toHaveLength(3);
  expect(order.slice(0, 6)).toContain("mallory");
});

it("K9 a read that finishes within its time slice does not wait", async () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const slices = new FairSlices();
  await slices.step(ada);
  let isYielded = false;
  const yielded = setImmediate().then(() => (isYielded = true));
  for (let at = 0; at < 1000; at++) await slices.step(ada);
  expect(isYielded).toBe(false);
  await yielded;
});

it("K6 two pages of an account are read at a time, and another account's page begins before its third", async () => {
  using reads = new HeavyReads();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (flow: typeof ada) =>
    reads.of(flow).page(() => {
      begun.push(flow.account);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const pages = [eve, eve, eve, eve, eve, ada].map(begin);
  await setImmediate();
  expect(begun).toEqual(["eve", "eve", "ada"]);
  for (let at = 0; at < pages.length; at++) {
    ends[at]?.();
    await setImmediate();
  }
  await Promise.all(pages);
  expect(begun).toEqual(["eve", "eve", "ada", "eve", "eve", "eve"]);
});
