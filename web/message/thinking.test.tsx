import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import "../testing/english-texts.ts";
import { Stalled, Thinking } from "./thinking.tsx";

afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

it("announces after eight seconds that the model has not answered yet", () => {
  vi.useFakeTimers();
  render(<Thinking />);
  expect(screen.queryByText("Thinking...")).not.toBeNull();
  const status = screen.getByRole("status");
  act(() => vi.advanceTimersByTime(7999));
  expect(status.textContent).toBe("");
  act(() => vi.advanceTimersByTime(1));
  expect(status.textContent).toBe("Still waiting for the model…");
});

it("announces that an answer has not grown for eight seconds, until it does", () => {
  vi.useFakeTimers();
  const { rerender } = render(<Stalled length={3} />);
  const status = screen.getByRole("status");
  act(() => vi.advanceTimersByTime(7999));
  rerender(<Stalled length={4} />);
  act(() => vi.advanceTimersByTime(7999));
  expect(status.textContent).toBe("");
  act(() => vi.advanceTimersByTime(1));
  expect(status.textContent).toBe("Still waiting for the model…");
  rerender(<Stalled length={5} />);
  expect(status.textContent).toBe("");
});
