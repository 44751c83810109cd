import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ReplyBoundary } from "./reply-boundary.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Broken(): never {
  throw new RangeError("Maximum call stack size exceeded");
}

test("a reply that cannot be set shows its words, and the others stay", () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  render(
    <>
      <ReplyBoundary fallback={<p>its words</p>}>
        <Broken />
      </ReplyBoundary>
      <ReplyBoundary fallback={<p>no</p>}>
        <p>another reply</p>
      </ReplyBoundary>
    </>,
  );
  expect(screen.getByText("its words")).toBeTruthy();
  expect(screen.getByText("another reply")).toBeTruthy();
  expect(screen.queryByText("no")).toBeNull();
});
