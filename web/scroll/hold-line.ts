import { lineIn } from "./line-in.ts";

/** Smaller shifts (px) are ignored. */
const TINY = 0.6;

/**
 * Scroll anchoring for browsers without it: holds the line at the top of the view while something above it changes its
 * height. @returns a function that stops it
 */
export function holdLine(box: HTMLElement, list: HTMLElement, isFollowing: () => boolean): () => void {
  let held: { element: Element; top: number } | null = null;
  let own = -1;
  const measure = () => {
    // Ignores the scroll that was corrected here: positions are rounded, and many small steps would be visible.
    if (held && box.scrollTop === own) return;
    const element = lineIn(box, list);
    held = element && { element, top: element.getBoundingClientRect().top };
    own = -1;
  };
  const hold = () => {
    if (!held?.element.isConnected || isFollowing()) {
      held = null;
      return measure();
    }
    const by = held.element.getBoundingClientRect().top - held.top;
    if (Math.abs(by) < TINY) return;
    box.scrollTop += by;
    own = box.scrollTop;
  };
  const changes = new ResizeObserver(hold);
  changes.observe(list);
  box.addEventListener("scroll", measure, { passive: true });
  return () => {
    changes.disconnect();
    box.removeEventListener("scroll", measure);
  };
}
