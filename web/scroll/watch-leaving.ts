/** Movement of a finger (px) that still counts as a tap. */
const TOUCH_SLOP = 4;

/**
 * Detects input with which the reader leaves the end, before anything has scrolled. @returns a function that stops it
 */
export function watchLeaving(box: HTMLElement, list: Element, leave: () => void): () => void {
  const listening = new AbortController();
  const options = { signal: listening.signal, passive: true };
  box.addEventListener("wheel", ({ deltaY }) => deltaY < 0 && box.scrollTop > 0 && leave(), options);
  let touchedAt = 0;
  const touched = ({ touches }: TouchEvent) => touches[0]?.clientY ?? 0;
  box.addEventListener(
    "touchstart",
    (event) => {
      touchedAt = touched(event);
    },
    options,
  );
  box.addEventListener(
    "touchmove",
    (event) => touched(event) > touchedAt + TOUCH_SLOP && box.scrollTop > 0 && leave(),
    options,
  );
  box.addEventListener(
    "pointerdown",
    ({ target, clientX }) => {
      const x = clientX - box.getBoundingClientRect().left - box.clientLeft;
      if (target === box && (x < 0 || x >= box.clientWidth)) leave();
    },
    options,
  );
  document.addEventListener(
    "selectionchange",
    () => {
      const selection = document.getSelection();
      if (selection && !selection.isCollapsed && list.contains(selection.anchorNode)) leave();
    },
    options,
  );
  document.addEventListener(
    "keydown",
    ({ key, ctrlKey, metaKey }) => (key === "F3" || ((ctrlKey || metaKey) && key === "f")) && leave(),
    options,
  );
  return () => listening.abort();
}
