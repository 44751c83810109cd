import { type RefObject, useEffect, useState } from "react";

/** Whether an element is on the screen, or less than another screen away from it. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      root: element.current.closest("[data-scroller]"),
      rootMargin: "100% 0px",
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
