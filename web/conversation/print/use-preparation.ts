import { startTransition, useEffect, useState } from "react";
import type { PrintWork } from "../../markdown/print-work.ts";
import { useStore } from "../../store/use-store.ts";

/**
 * Mounts the slices of a chat one after the other, each in a task of its own that yields to input, and waits for their
 * formulas, code, diagrams and fonts. Begins again with other slices.
 */
export function usePreparation(work: PrintWork, slices: readonly unknown[], canBegin: boolean) {
  const [state, setState] = useState({ slices, count: 0, isReady: false });
  if (state.slices !== slices) setState({ slices, count: 0, isReady: false });
  const { pending } = useStore(work.state);
  const count = state.slices === slices ? state.count : 0;
  useEffect(() => {
    if (!canBegin || count >= slices.length) return;
    const timer = setTimeout(() => startTransition(() => setState({ slices, count: count + 1, isReady: false })));
    return () => clearTimeout(timer);
  }, [canBegin, count, slices]);
  const isMounted = canBegin && slices.length > 0 && count >= slices.length;
  const isSettled = isMounted && pending === 0;
  useEffect(() => {
    if (!isSettled) return;
    let isCurrent = true;
    const settle = async () => {
      // The browser requests a font when it lays out its text: for messages below the screen, only while it prints.
      await Promise.allSettled([...document.fonts].map((font) => font.load()));
      if (isCurrent) setState({ slices, count: slices.length, isReady: true });
    };
    void settle();
    return () => {
      isCurrent = false;
    };
  }, [isSettled, slices]);
  return { count, isMounted, isReady: state.slices === slices && state.isReady };
}
