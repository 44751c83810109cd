/** For tests: the browser's observers of elements. */

import { vi } from "vitest";

/**
 * Replaces the observers of intersections and of sizes. Sizes are reported at once.
 * @returns for each observed element, a function that reports whether it is near the view
 */
export function fakeObservers(): ReadonlyMap<Element, (isNear: boolean) => void> {
  const near = new Map<Element, (isNear: boolean) => void>();
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly #callback: (entries: { isIntersecting: boolean }[]) => void;
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        this.#callback = callback;
      }
      observe(element: Element) {
        near.set(element, (isNear) => this.#callback([{ isIntersecting: isNear }]));
      }
      disconnect() {}
    },
  );
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly #callback: () => void;
      constructor(callback: () => void) {
        this.#callback = callback;
      }
      observe() {
        this.#callback();
      }
      disconnect() {}
    },
  );
  return near;
}
