import { lineIn } from "./line-in.ts";

/** Less (px) is nothing. */
const TINY = 0.6;

/**
 * Keeps the line at the top of a view where it is on the screen while something above it changes its height: for
 * browsers that do not. @returns the way to end it
 */
export function holdLine(box: HTMLElement, list: HTMLElement, isFollowing: () => boolean): () => void {
  let held: { element: Element; top: number } | null = null;
  let own = -1;
  const look = () => {
    // What was put right here stays as it was: positions are rounded, and many small steps would be seen.
    if (held && box.scrollTop === own) return;
    const element = lineIn(box, list);
    held = element && { element, top: element.getBoundingClientRect().top };
    own = -1;
  };
  const hold = () => {
    if (!held?.element.isConnected || isFollowing()) {
      held = null;
      return look();
    }
    const by = held.element.getBoundingClientRect().top - held.top;
    if (Math.abs(by) < TINY) return;
    box.scrollTop += by;
    own = box.scrollTop;
  };
  const changes = new ResizeObserver(hold);
  changes.observe(list);
  box.addEventListener("scroll", look, { passive: true });
  return () => {
    changes.disconnect();
    box.removeEventListener("scroll", look);
  };
}
