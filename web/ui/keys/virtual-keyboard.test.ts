import { afterEach, expect, test, vi } from "vitest";
import { followKeyboard } from "./virtual-keyboard.ts";

class FakeViewport extends EventTarget {
  height = window.innerHeight;
  scale = 1;

  change(state: { height?: number; scale?: number }, event = "resize"): void {
    Object.assign(this, state);
    this.dispatchEvent(new Event(event));
  }
}

const covered = () => document.documentElement.style.getPropertyValue("--keyboard");
afterEach(() => document.documentElement.style.removeProperty("--keyboard"));

test("the covered height is that of the virtual keyboard, and 0 once it is closed", () => {
  const viewport = new FakeViewport();
  followKeyboard(viewport);
  viewport.change({ height: window.innerHeight - 336 });
  expect(covered()).toBe("336px");
  viewport.change({ height: window.innerHeight });
  expect(covered()).toBe("0px");
});

test("a browser bar or a pinch zoom does not count as a virtual keyboard", () => {
  const viewport = new FakeViewport();
  followKeyboard(viewport);
  viewport.change({ height: window.innerHeight - 50 });
  viewport.change({ height: window.innerHeight / 2, scale: 2 });
  expect(covered()).toBe("");
});

test("a page that was moved up for the virtual keyboard is scrolled back, unless it is scrollable", () => {
  const moved = vi.spyOn(window, "scrollTo").mockImplementation(() => {});
  const tall = vi.spyOn(document.documentElement, "scrollHeight", "get").mockReturnValue(window.innerHeight);
  const viewport = new FakeViewport();
  followKeyboard(viewport);
  viewport.change({ height: window.innerHeight - 336 }, "scroll");
  expect(moved).toHaveBeenCalledWith(0, 0);
  moved.mockClear();
  tall.mockReturnValue(2 * window.innerHeight);
  viewport.change({ height: window.innerHeight - 300 }, "scroll");
  expect(moved).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
