import { beforeEach, expect, test, vi } from "vitest";
import { onStorageChange, readStorage, readStoredJson, storedKeys, writeStorage } from "./browser-storage.ts";

beforeEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

/** Makes every use of the storage throw, like a browser that forbids it. */
function forbidStorage(): void {
  const refuse = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  vi.spyOn(globalThis, "localStorage", "get").mockImplementation(refuse);
}

test("stores and removes texts under the given key, unchanged", () => {
  expect(writeStorage("a:1", '{"b":2}')).toBe(true);
  expect([localStorage.getItem("a:1"), readStorage("a:1"), readStoredJson("a:1")]).toEqual([
    '{"b":2}',
    '{"b":2}',
    { b: 2 },
  ]);
  writeStorage("a:2", "no JSON");
  writeStorage("c", "");
  expect([storedKeys("a:"), readStorage("c"), readStoredJson("a:2"), readStoredJson("d")]).toEqual([
    ["1", "2"],
    "",
    undefined,
    undefined,
  ]);
  expect(writeStorage("a:1", null)).toBe(true);
  expect(localStorage.getItem("a:1")).toBeNull();
});

test("forbidden storage reads as empty, and a failed change is logged with its name only", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  forbidStorage();
  expect([readStorage("a"), readStoredJson("a"), storedKeys("")]).toEqual([null, undefined, []]);
  expect([writeStorage("a", "b"), writeStorage("a", "b", "It"), writeStorage("a", null, "It")]).toEqual(
    Array(3).fill(false),
  );
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    "It could not be kept in this browser",
    "It could not be removed from this browser",
  ]);
});

test("a listener receives other tabs' changes until it is removed", () => {
  const listener = vi.fn();
  const stop = onStorageChange(listener);
  const event = new StorageEvent("storage", { key: "a" });
  dispatchEvent(event);
  stop();
  dispatchEvent(event);
  expect(listener.mock.calls).toEqual([[event]]);
});
