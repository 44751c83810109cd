import { expect, test, vi } from "vitest";
import { ApiError } from "./client.ts";
import { askOnce } from "./keep-trying.ts";

test("a failed attempt leaves no listener on the signal; an answered one ends with the signal", async () => {
  const leaving = new AbortController();
  const added = vi.spyOn(leaving.signal, "addEventListener");
  const removed = vi.spyOn(leaving.signal, "removeEventListener");
  const fail = () => Promise.reject(new ApiError(0, "No"));
  await expect(askOnce(fail, leaving.signal)).rejects.toThrow("No");
  expect(removed.mock.calls.map(([, listener]) => listener)).toEqual(added.mock.calls.map(([, listener]) => listener));
  const signal = await askOnce(async (each) => each, leaving.signal);
  expect(signal.aborted).toBe(false);
  leaving.abort();
  expect(signal.aborted).toBe(true);
});
