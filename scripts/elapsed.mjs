const EVERY_MS = 1000;
const LINE_EVERY_MS = 30_000;
/** Returns to the start of the line and clears it (ECMA-48 EL). */
const CLEAR = "\r\u001b[K";

/** Formats the time since `began` (Unix time in ms). */
export const seconds = (began) => `${((Date.now() - began) / 1000).toFixed(1)} s`;

/**
 * Prints that work has begun, and how long it takes: each second in one line of a terminal, else a line every half
 * minute.
 * @param {string} title such as "Installing packages"
 * @param {string} estimate such as "about a minute, once"
 * @param {() => string} count progress beside the time, or ""
 * @returns {() => void} ends it
 */
export function showElapsed(title, estimate, count = () => "") {
  const out = process.stdout;
  const began = Date.now();
  const progress = () => [`${Math.floor((Date.now() - began) / 1000)} s`, count()].filter(Boolean).join(", ");
  out.write(`${title}: ${estimate} …\n`);
  const timer = setInterval(
    () => out.write(out.isTTY ? `${CLEAR}  ${progress()}` : `  ${progress()}\n`),
    out.isTTY ? EVERY_MS : LINE_EVERY_MS,
  );
  return () => {
    clearInterval(timer);
    if (out.isTTY) out.write(CLEAR);
  };
}
