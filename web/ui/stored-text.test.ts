import { afterEach, expect, test, vi } from "vitest";
import { KeptText } from "./stored-text.ts";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test("is kept until it is taken back, and told to whoever follows it", () => {
  const kept = new KeptText("a", "It");
  const listener = vi.fn();
  const unfollow = kept.subscribe(listener);
  kept.keep("one");
  expect(new KeptText("a", "It").current()).toBe("one");
  kept.keep(null);
  expect(localStorage.getItem("a")).toBeNull();
  expect(listener).toHaveBeenCalledTimes(2);
  unfollow();
  kept.keep("two");
  expect(listener).toHaveBeenCalledTimes(2);
});

test("another tab's change is told, not that of another key", () => {
  const kept = new KeptText("a", "It");
  const listener = vi.fn();
  const unfollow = kept.subscribe(listener);
  dispatchEvent(new StorageEvent("storage", { key: "b" }));
  expect(listener).not.toHaveBeenCalled();
  localStorage.setItem("a", "theirs");
  dispatchEvent(new StorageEvent("storage", { key: "a" }));
  dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(listener).toHaveBeenCalledTimes(2);
  expect(kept.current()).toBe("theirs");
  unfollow();
});

test("where nothing can be kept, it counts on this page", () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("Full", "QuotaExceededError");
  });
  const kept = new KeptText("a", "It");
  kept.keep("one");
  expect(kept.current()).toBe("one");
  kept.keep(null);
  expect(kept.current()).toBeNull();
});
