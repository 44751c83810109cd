import { type PointerEvent, useRef } from "react";

/** Least length of a swipe in CSS pixels. */
const LEAST = 48;

type Start = { id: number; x: number; y: number };

/**
 * Recognises a swipe of one finger along the line of text, if `isActive` when it ends.
 * @param onSwipe receives 1 for a swipe to what follows and -1 for one to what comes before, by the page's direction
 */
export function useSwipe(isActive: boolean, onSwipe: (step: 1 | -1) => void) {
  const start = useRef<Start | null>(null);
  return {
    onPointerDown: ({ pointerId, isPrimary, pointerType, clientX, clientY }: PointerEvent) => {
      // A second finger makes it a pinch.
      const isSwipe = isPrimary && pointerType === "touch";
      start.current = isSwipe ? { id: pointerId, x: clientX, y: clientY } : null;
    },
    onPointerUp: ({ pointerId, clientX, clientY }: PointerEvent) => {
      const from = start.current;
      start.current = null;
      if (!from || from.id !== pointerId || !isActive) return;
      const [x, y] = [clientX - from.x, clientY - from.y];
      if (Math.abs(x) < LEAST || Math.abs(x) < 2 * Math.abs(y)) return;
      onSwipe(x < 0 === (document.dir !== "rtl") ? 1 : -1);
    },
    onPointerCancel: () => {
      start.current = null;
    },
  };
}
