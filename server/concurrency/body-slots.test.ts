import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ArrivingBody, BodySlots } from "./body-slots.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const clock = { now: () => Date.now() };
const newSlots = () => new BodySlots({ atOnce: 1, maxWaiting: 9, maxWaitMs: 40_000 }, clock);
const flowOf = (account: string) => ({ network: "a", account });

/** Receives a body of which `bytesASecond` arrive, until it is closed. @returns what has become of it */
function receive(slots: BodySlots, account: string, bytesASecond: number) {
  const state = { outcome: "waits" };
  const end = (outcome: string) => () => void Object.assign(state, { outcome });
  const begunAt = Date.now();
  const closed = Promise.withResolvers<void>();
  const body: ArrivingBody = {
    isComplete: false,
    get bytesRead() {
      return ((Date.now() - begunAt) * bytesASecond) / 1000;
    },
    close: closed.resolve,
  };
  const work = () => {
    state.outcome = "arrives";
    return closed.promise;
  };
  slots.run(flowOf(account), body, work).then(end("closed"), end("refused"));
  return state;
}

it("K10 closes a body slower than 1 kB/s over 30 s for one that waits", async () => {
  const slots = newSlots();
  const slow = receive(slots, "slow", 900);
  const next = receive(slots, "next", 1100);
  await vi.advanceTimersByTimeAsync(29_000);
  expect([slow.outcome, next.outcome]).toEqual(["arrives", "waits"]);
  await vi.advanceTimersByTimeAsync(3000);
  expect([slow.outcome, next.outcome]).toEqual(["closed", "arrives"]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(next.outcome).toBe("arrives");
});

it("K10 closes no slow body while nobody waits, and one that is idle for 30 s at once for the next", async () => {
  const slots = newSlots();
  const idle = receive(slots, "idle", 0);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(idle.outcome).toBe("arrives");
  const next = receive(slots, "next", 2000);
  await vi.advanceTimersByTimeAsync(1200);
  expect([idle.outcome, next.outcome]).toEqual(["closed", "arrives"]);
});

it("K10 closes no body that is fast enough or whole, however many wait", async () => {
  const slots = newSlots();
  const whole = { bytesRead: 0, isComplete: true, close: () => expect.fail("A whole body is closed") };
  const release = await slots.acquire(flowOf("whole"), whole);
  const refused = receive(slots, "next", 2000);
  await vi.advanceTimersByTimeAsync(41_000);
  expect(refused.outcome).toBe("refused");
  release();
  const fast = receive(slots, "fast", 1100);
  receive(slots, "waiting", 2000);
  await vi.advanceTimersByTimeAsync(39_000);
  expect(fast.outcome).toBe("arrives");
});
