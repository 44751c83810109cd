// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../../testing/english-texts.ts";
import type { DiagramView, FrameRequest } from "../../sandbox/diagram-messages.ts";
import { DiagramDialog } from "./diagram-dialog.tsx";

const drawn = { height: 100, size: { width: 400, height: 100 }, kind: "flowchart", title: "", description: "" };
const box = { width: 800, height: 600 };

/** Port of the frame: what the page sends it, and what it answers. */
class FakePort {
  readonly sent: FrameRequest[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  postMessage = (request: FrameRequest) => void this.sent.push(request);
  close = () => {};
}

let port: FakePort;
beforeEach(() => {
  port = new FakePort();
  vi.stubGlobal(
    "MessageChannel",
    class {
      port1 = port;
      port2 = new FakePort();
    },
  );
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly #onResize: () => void;
      constructor(onResize: () => void) {
        this.#onResize = onResize;
      }
      observe = () => this.#onResize();
      unobserve = () => {};
      disconnect = () => {};
    },
  );
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(box.width);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(box.height);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const lastView = () => port.sent.flatMap((request) => ("view" in request ? [request.view] : [])).at(-1);
const expectView = (view: DiagramView) => expect(lastView()).toEqual(view);

function open() {
  render(<DiagramDialog source="flowchart" name={{ kind: "Flowchart", whole: "Flowchart" }} onClose={() => {}} />);
  fireEvent.load(screen.getByTitle("Flowchart"));
  act(() => port.onmessage?.({ data: { drawn } }));
  const area = screen.getByRole("application");
  area.setPointerCapture = () => {};
  return area;
}

test("a drawn diagram fits the dialog; buttons and keys zoom and move it", () => {
  const area = open();
  expectView({ scale: 1.5, x: 100, y: 225 });
  fireEvent.click(screen.getByRole("button", { name: "Zoom in" }));
  expectView({ scale: 1.875, x: 25, y: 206.25 });
  fireEvent.keyDown(area, { key: "-" });
  fireEvent.keyDown(area, { key: "ArrowLeft" });
  fireEvent.keyDown(area, { key: "ArrowDown" });
  expectView({ scale: 1.5, x: 164, y: 161 });
  fireEvent.keyDown(area, { key: "0" });
  expectView({ scale: 1.5, x: 100, y: 225 });
  fireEvent.keyDown(area, { key: "+", ctrlKey: true });
  expectView({ scale: 1.5, x: 100, y: 225 });
});

test("two fingers zoom a diagram, one moves it", () => {
  const area = open();
  const touch = (pointerId: number, clientX: number, clientY: number) => ({ pointerId, clientX, clientY, button: 0 });
  fireEvent.pointerDown(area, touch(1, 300, 300));
  fireEvent.pointerMove(area, touch(1, 310, 290));
  expectView({ scale: 1.5, x: 110, y: 215 });
  fireEvent.pointerDown(area, touch(2, 330, 290));
  fireEvent.pointerMove(area, touch(2, 350, 290));
  expect(lastView()?.scale).toBe(3);
  fireEvent.pointerUp(area, touch(1, 310, 290));
  const before = lastView();
  fireEvent.pointerMove(area, touch(2, 355, 290));
  expect(lastView()).toEqual({ ...before, x: (before?.x ?? 0) + 5 });
  fireEvent.pointerUp(area, touch(2, 355, 290));
  fireEvent.pointerMove(area, touch(2, 400, 290));
  expect(lastView()?.x).toBe((before?.x ?? 0) + 5);
});

test("the wheel zooms a diagram at the pointer, and does not scroll the page", () => {
  const area = open();
  const event = new WheelEvent("wheel", { deltaY: -100, cancelable: true, bubbles: true });
  Object.assign(event, { clientX: 100, clientY: 225 });
  fireEvent(area, event);
  expect(event.defaultPrevented).toBe(true);
  expect(lastView()).toEqual({ scale: 1.5 * Math.exp(0.15), x: 100, y: 225 });
});

test("a button of a diagram is disabled, but keeps the focus, while it would not change the view", () => {
  open();
  const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
  const isHeld = (name: string) => button(name).getAttribute("aria-disabled") === "true";
  expect(["Zoom in", "Zoom out", "Fit to window"].map(isHeld)).toEqual([false, false, true]);
  for (let presses = 0; presses < 10; presses++) fireEvent.click(button("Zoom in"));
  expect(["Zoom in", "Zoom out", "Fit to window"].map(isHeld)).toEqual([true, false, false]);
  expect(button("Zoom in").disabled).toBe(false);
  for (let presses = 0; presses < 25; presses++) fireEvent.click(button("Zoom out"));
  expect(["Zoom in", "Zoom out", "Fit to window"].map(isHeld)).toEqual([false, true, false]);
  fireEvent.click(button("Fit to window"));
  expect(isHeld("Fit to window")).toBe(true);
});
