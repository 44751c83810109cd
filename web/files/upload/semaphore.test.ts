import { expect, test, vi } from "vitest";
import { Semaphore } from "./semaphore.ts";

const never = new AbortController().signal;

test("a semaphore runs as many at once as it allows, the others in order, also after a failure", async () => {
  const semaphore = new Semaphore(2);
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const run = (name: string) =>
    semaphore.run(never, () => {
      begun.push(name);
      const end = Promise.withResolvers<void>();
      ends.set(name, end);
      return end.promise;
    });
  const all = ["a", "b", "c", "d"].map(run);
  await Promise.resolve();
  expect(begun).toEqual(["a", "b"]);
  ends.get("b")?.reject(new Error("Failed"));
  await expect(all[1]).rejects.toThrow("Failed");
  await vi.waitFor(() => expect(begun).toEqual(["a", "b", "c"]));
  ends.get("a")?.resolve();
  await vi.waitFor(() => expect(begun).toEqual(["a", "b", "c", "d"]));
});

test("work that is cancelled while it waits for a semaphore takes no slot", async () => {
  const semaphore = new Semaphore(1);
  const first = Promise.withResolvers<void>();
  const running = semaphore.run(never, () => first.promise);
  const leave = new AbortController();
  const waiting = semaphore.run(leave.signal, async () => "ran");
  const next = semaphore.run(never, async () => "next");
  leave.abort(new Error("Cancelled"));
  await expect(waiting).rejects.toThrow("Cancelled");
  first.resolve();
  await running;
  expect(await next).toBe("next");
});
