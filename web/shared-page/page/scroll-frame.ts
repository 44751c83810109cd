import { element } from "./element.ts";

const labels = new WeakMap<Element, string>();
let widths: ResizeObserver | undefined;

/** Makes an element focusable while it is wider than its frame, so that the arrow keys scroll it. */
export function focusWhileScrolling(frame: HTMLElement, label: string): void {
  widths ??= new ResizeObserver((entries) => {
    for (const { target } of entries) update(target);
  });
  labels.set(frame, label);
  widths.observe(frame);
}

function update(frame: Element): void {
  const attributes = { tabindex: "0", role: "group", "aria-label": labels.get(frame) ?? "" };
  const isScrolling = frame.scrollWidth > frame.clientWidth + 1;
  for (const [name, value] of Object.entries(attributes)) {
    if (isScrolling) frame.setAttribute(name, value);
    else frame.removeAttribute(name);
  }
}

/** Wraps a wide element in a frame that scrolls from its start. `label`: name of the frame for screen readers. */
export function scrollFrame(wide: Element, className: string, label: string): HTMLElement {
  const direction = wide.getAttribute("dir");
  const frame = element("div", { class: className, ...(direction !== null && { dir: direction }) }, wide);
  focusWhileScrolling(frame, label);
  return frame;
}
