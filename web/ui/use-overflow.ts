import { type RefObject, useLayoutEffect, useState } from "react";

const watched = new Map<Element, () => void>();
let observer: ResizeObserver | undefined;

function watch(element: Element, onResize: () => void): () => void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) watched.get(target)?.();
  });
  watched.set(element, onResize);
  observer.observe(element);
  return () => {
    watched.delete(element);
    observer?.unobserve(element);
  };
}

/**
 * Returns whether a box overflows horizontally: it scrolls then, and must be focusable by keyboard. A new `content`
 * value means that the children have changed.
 */
export function useOverflow(box: RefObject<HTMLElement | null>, content?: unknown): boolean {
  const [isOver, setOver] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content has other children to observe
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const check = () => setOver(current.scrollWidth > current.clientWidth + 1);
    const unwatch = [current, ...current.children].map((element) => watch(element, check));
    return () => {
      for (const end of unwatch) end();
    };
  }, [box, content]);
  return isOver;
}
