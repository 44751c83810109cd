/** Time slicing for work that would block the main thread: a slice runs at once, the rest is queued for later tasks. */

const SLICE_MS = 40;

const waiting: (() => void)[] = [];
let spentMs = 0;
let isDue = false;

/** Runs `work` now, or in a later task if this slice is used up. @returns a function that cancels queued work */
export function inTimeSlices(work: () => void): () => void {
  if (waiting.length === 0 && spentMs < SLICE_MS) {
    run(work);
    continueLater();
    return () => undefined;
  }
  waiting.push(work);
  // The slice may be used up by the last queued work, which scheduled no further task.
  continueLater();
  return () => {
    const index = waiting.indexOf(work);
    if (index >= 0) waiting.splice(index, 1);
  };
}

function run(work: () => void): void {
  const startedAt = performance.now();
  try {
    work();
  } finally {
    spentMs += performance.now() - startedAt;
  }
}

function continueLater(): void {
  if (isDue) return;
  isDue = true;
  setTimeout(goOn);
}

function goOn(): void {
  isDue = false;
  spentMs = 0;
  try {
    for (let work = waiting.shift(); work; work = spentMs < SLICE_MS ? waiting.shift() : undefined) run(work);
  } finally {
    if (waiting.length > 0) continueLater();
  }
}
