import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { FallbackBoundary } from "./fallback-boundary.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Broken(): never {
  throw new RangeError("Maximum call stack size exceeded");
}

test("a component that fails to render is replaced by its fallback, and the rest stays", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  render(
    <>
      <FallbackBoundary fallback={<p>its words</p>}>
        <Broken />
      </FallbackBoundary>
      <FallbackBoundary fallback={<p>no</p>}>
        <p>another reply</p>
      </FallbackBoundary>
    </>,
  );
  expect(screen.getByText("its words")).toBeTruthy();
  expect(screen.getByText("another reply")).toBeTruthy();
  expect(screen.queryByText("no")).toBeNull();
});
