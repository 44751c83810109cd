import { useEffect, useState } from "react";

/** Returns false at first, and true from `delayMs` after mounting. */
export function useDelayed(delayMs: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isOver;
}
