import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { SlideDown } from "./composer-motion.ts";

afterEach(cleanup);

test("the composer is measured when its first message is sent, and not for each piece of an answer", () => {
  const form = document.createElement("form");
  const measure = vi.spyOn(form, "getBoundingClientRect");
  const time = vi.spyOn(document, "timeline", "get");
  const at = (currentTime: number) => time.mockReturnValue({ currentTime } as DocumentTimeline);
  const element = { current: form };
  at(0);
  const { rerender } = render(<SlideDown element={element} chat="c" isWelcome />);
  at(16);
  rerender(<SlideDown element={element} chat="c" isWelcome={false} />);
  expect(measure).toHaveBeenCalledTimes(2);
  for (let piece = 0; piece < 10; piece += 1) rerender(<SlideDown element={element} chat="c" isWelcome={false} />);
  expect(measure).toHaveBeenCalledTimes(2);
  time.mockRestore();
});
