import { type RefObject, useEffect, useState } from "react";

/** Returns whether an element is on the screen, or less than one screen away from it. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: "100% 0px",
      // `rootMargin` does not apply to the scroll container.
      scrollMargin: "100% 0px",
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isNear;
}
