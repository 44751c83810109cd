/** How much waits to be looked at, for the browser tab's title: a store outside React. */

let count = 0;
const subscribers = new Set<() => void>();

/** 0 shows nothing. */
export function setTabCount(next: number): void {
  if (next === count) return;
  count = next;
  for (const notifySubscriber of [...subscribers]) notifySubscriber();
}

export const currentTabCount = (): number => count;

export function subscribeTabCount(listener: () => void): () => void {
  subscribers.add(listener);
  return () => subscribers.delete(listener);
}
