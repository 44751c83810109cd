/** Stored amounts are integers in 1e-9 US dollars, because a token may cost less than a millionth of a dollar. */
const NANO_USD = 1e9;

/** Returns the amount as stored. @param usd US dollars */
export function toNanoUsd(usd: number): number {
  return Math.round(usd * NANO_USD);
}

/** Returns US dollars. @param nanoUsd a stored amount */
export function toUsd(nanoUsd: number): number {
  return nanoUsd / NANO_USD;
}
