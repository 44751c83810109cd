/** Where the sidebar stands beside the main area, nothing is drawn. */
const PHONE = "(width < 48rem)";
/** The outermost px belong to the browser: there begins its own way back. */
const EDGE_PX = 20;
/** A finger that went so far knows where it goes. */
const DECIDED_PX = 10;
/** Faster than this (px/ms), the direction counts and not the place. */
const FLICK = 0.35;
/** The speed is that of the last moments. */
const RECENT_MS = 100;

type Point = { at: number; time: number };

/** Whether it ends open: `progress` is 0 where it is closed and 1 where it is open, `speed` in px/ms towards open. */
export function endsOpen(progress: number, speed: number): boolean {
  return Math.abs(speed) > FLICK ? speed > 0 : progress > 0.5;
}

/** The speed of the last moments before `now`, in px/ms. */
export function speedOf(points: readonly Point[], now: number): number {
  const recent = points.filter(({ time }) => now - time <= RECENT_MS);
  const [first] = recent;
  const last = recent.at(-1);
  return first && last && last.time > first.time ? (last.at - first.at) / (last.time - first.time) : 0;
}

/** A finger on the screen, from its touch to its end. */
type Finger = {
  id: number;
  x: number;
  y: number;
  wasOpen: boolean;
  /** Its way sideways, towards open. */
  points: Point[];
  isDrawing: boolean;
};

/** Draws a drawer in and out with a finger. Outside React: between touch and end nothing is rendered but once to open. */
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

  /** Begins to look at fingers; gives the way to end that. */
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
    // A second finger wants something else.
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
    if (this.#panel) Object.assign(this.#panel.style, { animation: "none", transform: placeOf(progress) });
    if (this.#veil) Object.assign(this.#veil.style, { animation: "none", opacity: String(progress) });
  }

  /** Goes the rest of the way by itself. */
  async #settle(from: number, isOpen: boolean): Promise<void> {
    const [panel, veil] = [this.#panel, this.#veil];
    const to = isOpen ? 1 : 0;
    const timing = { duration: motionMs(), easing: "cubic-bezier(0.2, 0.7, 0.3, 1)", fill: "forwards" } as const;
    const moves = [
      panel?.animate({ transform: [placeOf(from), placeOf(to)] }, timing),
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

/** Where the panel stands. */
function placeOf(progress: number): string {
  const away = (1 - progress) * (isMirrored() ? 100 : -100);
  return `translateX(${away}%)`;
}

const isMirrored = () => getComputedStyle(document.documentElement).direction === "rtl";

/** How long what moves may take: nothing where the person wants less of it. */
function motionMs(): number {
  const motion = getComputedStyle(document.documentElement).getPropertyValue("--motion");
  return Number.parseFloat(motion) * (motion.trim().endsWith("ms") ? 1 : 1000) || 0;
}

/** Words that are being written or chosen, and what scrolls sideways itself, keep their fingers. */
function isTakenInside(target: Element, area: Element): boolean {
  if (target.closest("input, textarea, select, [contenteditable]")) return true;
  if (window.getSelection()?.isCollapsed === false) return true;
  for (let part: Element | null = target; part && part !== area; part = part.parentElement) {
    if (part.scrollWidth > part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX)) return true;
  }
  return false;
}
