import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { canZoom, type Framing, fitView, moveView, type Point, type Size, type View, zoomView } from "./view.ts";

const STEP = 1.25;
/** Distance of an arrow key, in CSS pixels. */
const ARROW = 64;
/** Zoom per CSS pixel of the wheel; browsers send a pinch on a touchpad as small wheel steps with Ctrl. */
const WHEEL = 0.0015;
const PINCH = 0.01;
/** A longer step with Ctrl is one of a wheel (CSS pixels). */
const LARGEST_PINCH = 50;
const PIXELS_OF_LINE = 16;

const ARROWS: Partial<Record<string, [x: number, y: number]>> = {
  ArrowLeft: [ARROW, 0],
  ArrowRight: [-ARROW, 0],
  ArrowUp: [0, ARROW],
  ArrowDown: [0, -ARROW],
};

/**
 * View of a drawing or a picture in a box, changed by wheel, pointers and keys. Until it is changed it fits the box,
 * whose size may change.
 * @param size of the content; undefined before it is known, when the view is null
 */
export function useView(size: Size | undefined, framing: Framing) {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [box, setBox] = useState<Size | null>(null);
  const [chosen, setChosen] = useState<View | null>(null);
  const fitted = size && box ? fitView(size, box, framing) : null;
  const change = (next: (view: View, size: Size, box: Size) => View) => {
    if (!size || !box || !fitted) return;
    setChosen((view) => {
      const changed = next(view ?? fitted, size, box);
      // Follows the box again, such as a picture that was zoomed out.
      return isSame(changed, fitted) ? null : changed;
    });
  };
  const zoom = (factor: number, at?: Point) =>
    change((view, size, box) =>
      zoomView(view, factor, at ?? { x: box.width / 2, y: box.height / 2 }, size, box, framing),
    );
  const move = (x: number, y: number) => change((view, size, box) => moveView(view, x, y, size, box, framing));
  const showAll = () => setChosen(null);

  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(() => setBox({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);

  useWheel(element, (factor, at) => zoom(factor, at));
  const pointers = usePointers(zoom, move);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) move(...arrow);
    else if (event.key === "+" || event.key === "=") zoom(STEP);
    else if (event.key === "-" || event.key === "−") zoom(1 / STEP);
    else if (event.key === "0") showAll();
    else return;
    event.preventDefault();
  };

  const view = fitted && (chosen ?? fitted);
  const can = (factor: number) =>
    view !== null && size !== undefined && box !== null && canZoom(view, factor, size, box, framing);
  return {
    view,
    canZoomIn: can(STEP),
    canZoomOut: can(1 / STEP),
    isWhole: chosen === null,
    /** Zooms by a factor; `at` in the box stays in its position. */
    zoom,
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    showAll,
    onKeyDown,
    area: {
      ref: setElement,
      ...pointers,
    },
  };
}

const isSame = (one: View, other: View) => one.scale === other.scale && one.x === other.x && one.y === other.y;

type Zoom = (factor: number, at: Point) => void;

function useWheel(element: HTMLElement | null, zoom: Zoom): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? PIXELS_OF_LINE : 1);
    const speed = event.ctrlKey && Math.abs(pixels) < LARGEST_PINCH ? PINCH : WHEEL;
    const corner =
      event.currentTarget instanceof Element ? event.currentTarget.getBoundingClientRect() : { left: 0, top: 0 };
    zoom(Math.exp(-pixels * speed), { x: event.clientX - corner.left, y: event.clientY - corner.top });
  });
  useEffect(() => {
    if (!element) return;
    const listener = (event: WheelEvent) => onWheel(event);
    // React's listeners are passive, so that they cannot prevent the browser from zooming the page.
    element.addEventListener("wheel", listener, { passive: false });
    return () => element.removeEventListener("wheel", listener);
  }, [element]);
}

/** One pointer moves; two zoom at the middle between them. */
function usePointers(zoom: Zoom, move: (x: number, y: number) => void) {
  const pointers = useRef(new Map<number, Point>());
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    if (!other) return move(now.x - before.x, now.y - before.y);
    // Each finger moves the middle by half its way.
    const corner = event.currentTarget.getBoundingClientRect();
    const middle = { x: (now.x + other.x) / 2 - corner.left, y: (now.y + other.y) / 2 - corner.top };
    const factor = distance(now, other) / Math.max(distance(before, other), 1);
    zoom(factor, middle);
    move((now.x - before.x) / 2, (now.y - before.y) / 2);
  };
  const onPointerEnd = (event: PointerEvent<HTMLElement>) => {
    pointers.current.delete(event.pointerId);
  };
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp: onPointerEnd,
    onPointerCancel: onPointerEnd,
    onLostPointerCapture: onPointerEnd,
  };
}

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);
