import { isInLine } from "../list/list-elements.ts";

const LONG_PRESS_MS = 500;
/** Movement in px after which a touch is no longer a press. */
const MOVED_PX = 10;

type Press = { x: number; y: number; isLong: boolean };

/**
 * Dispatches a `contextmenu` event after a long press on a line: iOS has none. The press then does not click, and does
 * not move the drawer around the list.
 */
export function listenForLongPress(list: HTMLElement, signal: AbortSignal): void {
  let press: Press | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    press = null;
  };

  const down = ({ target, pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent) => {
    end();
    if (pointerType !== "touch" || !isPrimary || !isInLine(target)) return;
    const begun: Press = { x, y, isLong: false };
    press = begun;
    timer = setTimeout(() => {
      begun.isLong = true;
      const at = { clientX: x, clientY: y, pointerType };
      target?.dispatchEvent(new PointerEvent("contextmenu", { bubbles: true, cancelable: true, ...at }));
    }, LONG_PRESS_MS);
  };
  const move = (event: PointerEvent) => {
    if (press?.isLong) event.stopPropagation();
    else if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > MOVED_PX) end();
  };
  const lift = () => clearTimeout(timer);
  const touchEnd = (event: TouchEvent) => {
    // Prevents the mouse events of the touch, the click among them.
    if (press?.isLong) event.preventDefault();
    end();
  };
  /** The browser's own event may come first. */
  const open = () => {
    clearTimeout(timer);
    if (press) press.isLong = true;
  };

  list.addEventListener("pointerdown", down, { signal });
  list.addEventListener("pointermove", move, { signal });
  list.addEventListener("pointerup", lift, { signal });
  list.addEventListener("pointercancel", end, { signal });
  list.addEventListener("contextmenu", open, { signal });
  list.addEventListener("touchend", touchEnd, { passive: false, signal });
  signal.addEventListener("abort", end);
}
