let isPointerDown = false;

window.addEventListener(
  "pointerdown",
  () => {
    isPointerDown = true;
  },
  true,
);
for (const end of ["pointerup", "pointercancel"] as const) {
  window.addEventListener(
    end,
    () => {
      isPointerDown = false;
    },
    true,
  );
}

/**
 * Runs `action` now or, while a button of the pointing device is held down, after its release. A layout shift between
 * press and release moves the pressed element, and the click misses it.
 */
export function afterPointer(action: () => void): void {
  if (!isPointerDown) {
    action();
    return;
  }
  const ended = new AbortController();
  const run = () => {
    ended.abort();
    // The click event follows pointerup.
    setTimeout(action);
  };
  window.addEventListener("pointerup", run, { signal: ended.signal });
  window.addEventListener("pointercancel", run, { signal: ended.signal });
}
