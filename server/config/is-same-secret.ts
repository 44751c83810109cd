import { timingSafeEqual } from "node:crypto";

/** Whether two signatures or the like are the same, in a time that does not tell where they differ. */
export function isSameSecret(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
