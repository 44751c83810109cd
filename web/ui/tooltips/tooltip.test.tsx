import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../../locales/i18n.ts";
import { IconButton } from "../components/icon-button.tsx";
import { switchSigns } from "../keys/sign-keys.ts";
import { tooltip } from "./tooltip.ts";
import { OPEN_MS } from "./tooltip-controller.ts";
import TooltipLayer from "./tooltip-layer.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  localStorage.clear();
});

const [mouse, touch] = [{ pointerType: "mouse" }, { pointerType: "touch" }];

/** Elements at the position of the pointer, which happy-dom does not know. */
let atPointer: Element[] = [];
beforeEach(() => {
  atPointer = [];
  Object.assign(document, { elementsFromPoint: () => atPointer });
});

function open() {
  render(
    <main>
      <IconButton label="Hide the list" icon={null} shortcut="sidebar" />
      <IconButton label="Delete Chat a" hint="Delete" icon={null} />
      <IconButton label="Write" icon={null} shortcut="focusBox" />
      <IconButton label="Stop" icon={null} shortcut="stop" />
      <IconButton label="More" icon={null} aria-haspopup="menu" aria-expanded />
      <time {...tooltip("Nov 23, 2026, 7:05 PM")}>Now</time>
      <a href="#long" aria-describedby="count">
        <span {...tooltip("A long title", { isForCutText: true })}>A long title</span>
      </a>
      <p>Nothing</p>
      <TooltipLayer loadedBy="pointer" pressedAt={{ current: null }} />
    </main>,
  );
}

const shown = () => screen.queryByRole("tooltip", { hidden: true });
const words = () => shown()?.querySelector("span")?.textContent ?? null;
const button = (name: string) => screen.getByRole("button", { name });
let x = 0;
const point = (element: Element, pointer: object = mouse) =>
  fireEvent.pointerOver(element, { ...pointer, clientX: ++x, clientY: 0 });
const wait = (ms = OPEN_MS) => act(() => void vi.advanceTimersByTime(ms));
const nothing = () => screen.getByText("Nothing");

function step(to: HTMLElement, key = "Tab") {
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
  act(() => to.focus());
}

test("the pointer shows a tooltip after a delay, with the key of its control", () => {
  open();
  point(button("Hide the list"));
  wait(OPEN_MS - 1);
  expect(shown()).toBeNull();
  wait(1);
  expect(words()).toBe("Hide the list");
  expect([...(shown()?.querySelectorAll("kbd kbd") ?? [])].map(({ textContent }) => textContent)).toEqual([
    "Ctrl",
    "B",
  ]);
});

test("a pointer that leaves before the delay shows nothing", () => {
  open();
  point(button("Hide the list"));
  wait(OPEN_MS - 1);
  point(nothing());
  wait();
  expect(shown()).toBeNull();
});

test("a tooltip that was just shown makes the next one appear at once, and only then", () => {
  open();
  point(button("Hide the list"));
  wait();
  point(nothing());
  wait(200);
  expect(shown()).toBeNull();
  act(() => void point(button("Delete Chat a")));
  expect(words()).toBe("Delete");
  act(() => void point(button("Stop")));
  expect(words()).toBe("Stop");
  point(nothing());
  wait(1000);
  point(button("Stop"));
  expect(shown()).toBeNull();
});

test("a tooltip stays while the pointer is over it", () => {
  open();
  point(button("Hide the list"));
  wait();
  const box = shown();
  point(nothing());
  if (box) point(box);
  wait(5000);
  expect(shown()).toBe(box);
  point(nothing());
  wait();
  expect(shown()).toBeNull();
});

test("a tooltip hides when the pointer enters it above another control", () => {
  open();
  point(button("Hide the list"));
  wait();
  const box = shown();
  if (!box) throw new Error("There is no tooltip");
  atPointer = [box, button("Stop")];
  point(box);
  expect(shown()).toBeNull();
});

test("keys that move the focus show a tooltip at once, and a focus by a script shows none", () => {
  open();
  act(() => button("Stop").focus());
  expect(shown()).toBeNull();
  step(button("Hide the list"));
  expect(words()).toBe("Hide the list");
  step(button("Stop"), "ArrowRight");
  expect(words()).toBe("Stop");
  act(() => button("Stop").blur());
  expect(shown()).toBeNull();
  fireEvent.keyDown(document.body, { key: "Enter" });
  act(() => button("Delete Chat a").focus());
  expect(shown()).toBeNull();
});

test("the control that Tab reached while the tooltips were loading has one", () => {
  render(<IconButton label="Stop" icon={null} />);
  act(() => button("Stop").focus());
  render(<TooltipLayer loadedBy="key" pressedAt={{ current: null }} />);
  expect(words()).toBe("Stop");
});

test("touch shows no tooltip, by a tap or by a long press", () => {
  open();
  point(button("Stop"), touch);
  fireEvent.pointerDown(button("Stop"), touch);
  act(() => button("Stop").focus());
  wait(2000);
  expect(shown()).toBeNull();
});

test.each([
  ["a press", () => fireEvent.pointerDown(button("Stop"), mouse)],
  ["a click", () => fireEvent.click(button("Stop"))],
  ["the context menu", () => fireEvent.contextMenu(button("Stop"))],
  ["scrolling", () => fireEvent.scroll(screen.getByRole("main"))],
  ["resizing", () => fireEvent(window, new Event("resize"))],
])("a tooltip is hidden by %s until the pointer has left", (_, hide) => {
  open();
  point(button("Stop"));
  wait();
  hide();
  expect(shown()).toBeNull();
  point(button("Stop"));
  wait();
  expect(shown()).toBeNull();
  point(nothing());
  point(button("Stop"));
  wait();
  expect(words()).toBe("Stop");
});

test("scrolling elsewhere hides no tooltip", () => {
  open();
  point(button("Stop"));
  wait();
  fireEvent.scroll(nothing());
  expect(words()).toBe("Stop");
});

test("Escape hides the tooltip and nothing else, unless it is the key of the control", () => {
  open();
  const listener = vi.fn();
  document.addEventListener("keydown", listener);
  point(button("Hide the list"));
  wait();
  expect(fireEvent.keyDown(nothing(), { key: "Escape" })).toBe(false);
  expect([shown(), listener.mock.calls.length]).toEqual([null, 0]);
  expect(fireEvent.keyDown(nothing(), { key: "Escape" })).toBe(true);
  expect(listener).toHaveBeenCalledOnce();
  point(button("Stop"));
  wait();
  expect(fireEvent.keyDown(nothing(), { key: "Escape" })).toBe(true);
  expect([shown(), listener.mock.calls.length]).toEqual([null, 2]);
  document.removeEventListener("keydown", listener);
});

test("a press that replaces the element under a resting pointer shows no tooltip of the new one", () => {
  open();
  const at = { ...mouse, clientX: 700, clientY: 9 };
  fireEvent.pointerDown(button("Hide the list"), at);
  fireEvent.pointerOver(button("Stop"), at);
  wait();
  expect(shown()).toBeNull();
});

test("a press while the tooltips were loading hides them", () => {
  const at = new PointerEvent("pointerdown", { ...mouse, clientX: 5, clientY: 5 });
  render(<IconButton label="Write" icon={null} />);
  render(<TooltipLayer loadedBy="pointer" pressedAt={{ current: at }} />);
  fireEvent.pointerOver(button("Write"), { ...mouse, clientX: 5, clientY: 5 });
  wait();
  expect(shown()).toBeNull();
});

test("an open menu's button shows no tooltip", () => {
  open();
  point(button("More"));
  wait();
  expect(shown()).toBeNull();
});

test("a title has a tooltip only while it is cut off, also by keyboard", () => {
  open();
  const title = screen.getByText("A long title");
  point(title);
  wait();
  step(screen.getByRole("link"));
  expect(shown()).toBeNull();
  vi.spyOn(title, "scrollWidth", "get").mockReturnValue(300);
  point(nothing());
  point(title);
  wait();
  expect(words()).toBe("A long title");
  step(button("Stop"));
  step(screen.getByRole("link"));
  expect(words()).toBe("A long title");
});

test("a tooltip that repeats the name is hidden from screen readers; another one is a description", () => {
  open();
  point(button("Delete Chat a"));
  wait();
  expect(shown()?.getAttribute("aria-hidden")).toBe("true");
  expect(button("Delete Chat a").hasAttribute("aria-describedby")).toBe(false);
  const time = screen.getByText("Now");
  act(() => void point(time));
  expect([words(), shown()?.getAttribute("aria-hidden")]).toEqual(["Nov 23, 2026, 7:05 PM", "true"]);
  expect(time.getAttribute("aria-describedby")).toBe(shown()?.id);
  point(nothing());
  wait();
  expect(time.hasAttribute("aria-describedby")).toBe(false);
});

test("a tooltip does not show a key that is switched off", () => {
  open();
  point(button("Write"));
  wait();
  expect(shown()?.textContent).toBe("Write/");
  point(nothing());
  wait(1000);
  act(() => switchSigns(false));
  point(button("Write"));
  wait();
  expect(shown()?.textContent).toBe("WriteShiftEsc");
});
