import { timingSafeEqual } from "node:crypto";

/** Compares two signatures or secrets in constant time. */
export function isSameSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
