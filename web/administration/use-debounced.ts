import { useEffect, useState } from "react";

const DEBOUNCE_MS = 250;

/** Returns a value once it has not changed for 250 ms. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
