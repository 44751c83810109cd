import { useEffect, useState } from "react";

/** False at first, true `delayMs` after the component appeared. */
export function useDelayed(delayMs: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isOver;
}
