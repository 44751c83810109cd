/** When somebody writes on the page, so that what can wait does not come between a letter and its paint. */

import { Emitter } from "../store/emitter.ts";

const TYPING_MS = 500;

let wroteAt = Number.NEGATIVE_INFINITY;
const letters = new Emitter(() => {
  addEventListener("input", onInput, true);
  return () => removeEventListener("input", onInput, true);
});

export const isTyping = (): boolean => performance.now() - wroteAt < TYPING_MS;

/** Whether a key press waits for the task that asks. Not every browser tells. */
export function isLetterWaiting(): boolean {
  const { scheduling }: Navigator & { scheduling?: { isInputPending?: () => boolean } } = navigator;
  return scheduling?.isInputPending?.() ?? false;
}

/** Calls `listener` whenever a letter has been painted: then the page has the longest time until the next one. */
export const afterLetters = letters.subscribe;

function onInput(): void {
  wroteAt = performance.now();
  // The first task behind the frame that shows it.
  requestAnimationFrame(() => setTimeout(letters.notify));
}
