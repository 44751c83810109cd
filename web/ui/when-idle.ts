/** Longest wait for an idle moment, in ms. */
const LONGEST_MS = 1000;

/** Calls `work` in an idle moment of the page. Browsers that cannot tell call it in the next task. */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: LONGEST_MS });
  else setTimeout(work);
}
