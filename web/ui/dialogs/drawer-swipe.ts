import { motionTiming } from "../appearance/motion-timing.ts";

/** Swipes count only on narrow screens; on wider ones the sidebar is beside the main area. */
const PHONE = "(width < 48rem)";
/** Outermost px, reserved for the browser's own back gesture. */
const EDGE_PX = 20;
/** Movement after which the direction of a swipe is decided. */
const DECIDED_PX = 10;
/** Speed (px/ms) above which the direction decides instead of the position. */
const FLICK = 0.35;
/** Time window over which the speed is measured. */
const RECENT_MS = 100;

type Point = { at: number; time: number };

/** Whether a swipe ends open: `progress` is 0 when closed and 1 when open, `speed` in px/ms towards open. */
export function endsOpen(progress: number, speed: number): boolean {
  return Math.abs(speed) > FLICK ? speed > 0 : progress > 0.5;
}

/** Returns the speed over the last {@link RECENT_MS} before `now`, in px/ms. */
export function speedOf(points: readonly Point[], now: number): number {
  const recent = points.filter(({ time }) => now - time <= RECENT_MS);
  const [first] = recent;
  const last = recent.at(-1);
  return first && last && last.time > first.time ? (last.at - first.at) / (last.time - first.time) : 0;
}

/** State of one touch, from pointerdown to pointerup or pointercancel. */
type Finger = {
  id: number;
  x: number;
  y: number;
  wasOpen: boolean;
  /** Horizontal distances from the start in px, positive towards open. */
  points: Point[];
  isDrawing: boolean;
};

/** Swipe gesture that opens and closes a drawer. Outside React: during a swipe, only opening renders. */
export class DrawerSwipe {
  #panel: HTMLElement | null = null;
  #veil: HTMLElement | null = null;
  #finger: Finger | null = null;
  #change: (isOpen: boolean) => void = () => {};

  readonly setPanel = (panel: HTMLElement | null) => {
    this.#panel = panel;
    this.#paint();
  };
  readonly setVeil = (veil: HTMLElement | null) => {
    this.#veil = veil;
    this.#paint();
  };

  /** Starts to listen for touches; returns a function that stops it. */
  follow(change: (isOpen: boolean) => void): () => void {
    this.#change = change;
    const leaving = new AbortController();
    const options = { signal: leaving.signal, passive: true };
    document.addEventListener("pointerdown", (event) => this.#down(event), options);
    document.addEventListener("pointermove", (event) => this.#move(event), options);
    document.addEventListener("pointerup", (event) => this.#end(event, false), options);
    document.addEventListener("pointercancel", (event) => this.#end(event, true), options);
    return () => leaving.abort();
  }

  #down(event: PointerEvent): void {
    // A second finger starts another gesture.
    if (this.#finger) this.#end(event, true, true);
    const { clientX: x, clientY: y, pointerId: id, target } = event;
    if (event.pointerType !== "touch" || !event.isPrimary || !(target instanceof Element)) return;
    if (!matchMedia(PHONE).matches || x < EDGE_PX || x > window.innerWidth - EDGE_PX) return;
    const wasOpen = this.#panel !== null;
    const area = wasOpen ? this.#areaOfOpen(target) : target.closest("main");
    if (!area || isTakenInside(target, area)) return;
    this.#finger = { id, x, y, wasOpen, points: [{ at: 0, time: event.timeStamp }], isDrawing: false };
  }

  #areaOfOpen(target: Element): Element | null {
    return [this.#panel, this.#veil].find((part) => part?.contains(target)) ?? null;
  }

  #move(event: PointerEvent): void {
    const finger = this.#finger;
    if (finger?.id !== event.pointerId) return;
    const way = (event.clientX - finger.x) * (isMirrored() ? -1 : 1);
    if (!finger.isDrawing) {
      const across = Math.abs(event.clientY - finger.y);
      if (Math.max(Math.abs(way), across) < DECIDED_PX) return;
      if (across >= Math.abs(way) || way > 0 === finger.wasOpen) {
        this.#finger = null;
        return;
      }
      finger.isDrawing = true;
      if (!finger.wasOpen) this.#change(true);
    }
    finger.points.push({ at: way, time: event.timeStamp });
    this.#paint();
  }

  #end(event: PointerEvent, isCancelled: boolean, isOther = false): void {
    const finger = this.#finger;
    if (!finger || (!isOther && finger.id !== event.pointerId)) return;
    const from = this.#progress(finger);
    this.#finger = null;
    if (!finger.isDrawing) return;
    const isOpen = isCancelled ? finger.wasOpen : endsOpen(from, speedOf(finger.points, event.timeStamp));
    void this.#settle(from, isOpen);
  }

  #progress({ wasOpen, points }: Finger): number {
    const width = this.#panel?.offsetWidth || 1;
    return Math.min(1, Math.max(0, (wasOpen ? 1 : 0) + (points.at(-1)?.at ?? 0) / width));
  }

  #paint(): void {
    if (!this.#finger?.isDrawing) return;
    const progress = this.#progress(this.#finger);
    if (this.#panel) Object.assign(this.#panel.style, { animation: "none", transform: transformOf(progress) });
    if (this.#veil) Object.assign(this.#veil.style, { animation: "none", opacity: String(progress) });
  }

  /** Animates the drawer from its position to open or closed. */
  async #settle(from: number, isOpen: boolean): Promise<void> {
    const [panel, veil] = [this.#panel, this.#veil];
    const to = isOpen ? 1 : 0;
    const timing = { ...motionTiming(), fill: "forwards" } as const;
    const moves = [
      panel?.animate({ transform: [transformOf(from), transformOf(to)] }, timing),
      veil?.animate({ opacity: [from, to] }, timing),
    ];
    await Promise.allSettled(moves.map((move) => move?.finished));
    if (isOpen) {
      panel?.style.removeProperty("transform");
      veil?.style.removeProperty("opacity");
      for (const move of moves) move?.cancel();
    } else this.#change(false);
  }
}

/** CSS transform of the panel. */
function transformOf(progress: number): string {
  const offset = (1 - progress) * (isMirrored() ? 100 : -100);
  return `translateX(${offset}%)`;
}

const isMirrored = () => getComputedStyle(document.documentElement).direction === "rtl";

/** Whether the touch belongs to a field, to a text selection or to an element that scrolls horizontally. */
function isTakenInside(target: Element, area: Element): boolean {
  if (target.closest("input, textarea, select, [contenteditable]")) return true;
  if (window.getSelection()?.isCollapsed === false) return true;
  for (let part: Element | null = target; part && part !== area; part = part.parentElement) {
    if (part.scrollWidth > part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX)) return true;
  }
  return false;
}
