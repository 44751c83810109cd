import { startTransition, useEffect, useState } from "react";
import type { PrintWork } from "../../markdown/print-work.ts";
import { useStore } from "../../store/use-store.ts";

/**
 * Mounts the slices of a chat one after the other, each in a task of its own that yields to input, and waits for their
 * formulas, code, diagrams and fonts.
 */
export function usePreparation(work: PrintWork, slices: number, canBegin: boolean) {
  const [count, setCount] = useState(0);
  const [isReady, setReady] = useState(false);
  const { pending } = useStore(work.state);
  useEffect(() => {
    if (!canBegin || count >= slices) return;
    const timer = setTimeout(() => startTransition(() => setCount(count + 1)));
    return () => clearTimeout(timer);
  }, [canBegin, count, slices]);
  const isMounted = canBegin && slices > 0 && count >= slices;
  const isSettled = isMounted && pending === 0;
  useEffect(() => {
    if (!isSettled) return;
    let isCurrent = true;
    const settle = async () => {
      // The browser requests a font when it lays out its text: for messages below the screen, only while it prints.
      await Promise.allSettled([...document.fonts].map((font) => font.load()));
      if (isCurrent) setReady(true);
    };
    void settle();
    return () => {
      isCurrent = false;
    };
  }, [isSettled]);
  return { count, isMounted, isReady };
}
