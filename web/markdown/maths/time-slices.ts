/** Work that would keep the page from answering when much of it is there at once: some is done right away, the rest in turn. */

const SLICE_MS = 40;

const waiting: (() => void)[] = [];
let spentMs = 0;
let isDue = false;

/** Does something now, or in a later task where this one has been busy enough. @returns the way to let it be */
export function inTimeSlices(work: () => void): () => void {
  if (waiting.length === 0 && spentMs < SLICE_MS) {
    run(work);
    continueLater();
    return () => undefined;
  }
  waiting.push(work);
  // The last of those before may have taken all the time that there was, with nobody waiting behind it.
  continueLater();
  return () => {
    const place = waiting.indexOf(work);
    if (place >= 0) waiting.splice(place, 1);
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
