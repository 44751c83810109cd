/** Detects typing, so that deferrable work does not delay the painting of a letter. */

import { Emitter } from "../store/emitter.ts";

const TYPING_MS = 500;

let wroteAt = Number.NEGATIVE_INFINITY;
const letters = new Emitter(() => {
  addEventListener("input", onInput, true);
  return () => removeEventListener("input", onInput, true);
});

export const isTyping = (): boolean => performance.now() - wroteAt < TYPING_MS;

/** Whether a key press is pending (`isInputPending`; false in browsers without it). */
export function isLetterWaiting(): boolean {
  const { scheduling }: Navigator & { scheduling?: { isInputPending?: () => boolean } } = navigator;
  return scheduling?.isInputPending?.() ?? false;
}

/** Calls `listener` after each painted letter, which leaves the most time until the next one. */
export const afterLetters = letters.subscribe;

function onInput(): void {
  wroteAt = performance.now();
  // The first task after the frame that shows it.
  requestAnimationFrame(() => setTimeout(letters.notify));
}
