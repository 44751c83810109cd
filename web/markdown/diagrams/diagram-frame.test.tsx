import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DiagramFrame } from "./diagram-frame.tsx";

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a diagram's frame may load for a minute, and the timeout for drawing starts after that", async () => {
  const onAnswer = vi.fn();
  render(<DiagramFrame source="pie" title="A pie" className="" onAnswer={onAnswer} />);
  await pass(50);
  fireEvent.load(screen.getByTitle("A pie"));
  await pass(14);
  expect(onAnswer).not.toHaveBeenCalled();
  await pass(2);
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ failed: "for-now" });
});

test("a diagram reports a failure when its frame never loads", async () => {
  const onAnswer = vi.fn();
  render(<DiagramFrame source="pie" title="A pie" className="" onAnswer={onAnswer} />);
  await pass(61);
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith({ failed: "for-now" });
});
