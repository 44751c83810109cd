import { afterEach, expect, test, vi } from "vitest";
import { log } from "../../log.ts";

afterEach(() => vi.restoreAllMocks());

test.fails.each(["error", "warn"] as const)("an unexpected console.%s fails the test that caused it", (method) =>
  log[method]("unexpected"),
);

test("an expected warning does not fail the test that replaces the method", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  log.warn("expected");
  expect(warn).toHaveBeenCalledExactlyOnceWith("expected", "");
});
