import { afterEach, expect, test, vi } from "vitest";
import { StoredText } from "./stored-text.ts";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test("a text is stored until it is removed, and each change notifies subscribers", () => {
  const stored = new StoredText("a", "It");
  const listener = vi.fn();
  const unfollow = stored.subscribe(listener);
  stored.set("one");
  expect(new StoredText("a", "It").get()).toBe("one");
  stored.set(null);
  expect(localStorage.getItem("a")).toBeNull();
  expect(listener).toHaveBeenCalledTimes(2);
  unfollow();
  stored.set("two");
  expect(listener).toHaveBeenCalledTimes(2);
});

test("a change of a stored text by another tab notifies subscribers, changes of another key do not", () => {
  const stored = new StoredText("a", "It");
  const listener = vi.fn();
  const unfollow = stored.subscribe(listener);
  dispatchEvent(new StorageEvent("storage", { key: "b" }));
  expect(listener).not.toHaveBeenCalled();
  localStorage.setItem("a", "theirs");
  dispatchEvent(new StorageEvent("storage", { key: "a" }));
  dispatchEvent(new StorageEvent("storage", { key: null }));
  expect(listener).toHaveBeenCalledTimes(2);
  expect(stored.get()).toBe("theirs");
  unfollow();
});

test("a stored text applies on this page even if nothing can be stored", () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("Full", "QuotaExceededError");
  });
  const stored = new StoredText("a", "It");
  stored.set("one");
  expect(stored.get()).toBe("one");
  stored.set(null);
  expect(stored.get()).toBeNull();
});
