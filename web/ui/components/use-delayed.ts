import { useEffect, useState } from "react";

/** Returns false at first, and true from `delayMs` after mounting, or after the last change of `since`. */
export function useDelayed(delayMs: number, since?: unknown): boolean {
  const [over, setOver] = useState<{ since: unknown } | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setOver({ since }), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs, since]);
  return over !== null && over.since === since;
}
