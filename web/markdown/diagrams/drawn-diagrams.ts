import type { Drawn } from "../../sandbox/diagram-messages.ts";

const MOST_KNOWN = 200;

/** Bounded cache of drawing results by source: a diagram that is rendered again has its height at once. */
export class DrawnDiagrams {
  readonly #known = new Map<string, Drawn>();

  find(source: string): Drawn | undefined {
    return this.#known.get(source);
  }

  keep(source: string, drawn: Drawn): void {
    this.#known.delete(source);
    this.#known.set(source, drawn);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

const ofStores = new WeakMap<object, DrawnDiagrams>();

/**
 * Returns the cache of a chats store, which belongs to one account. It is garbage-collected with the store, since a
 * sign-out must leave no personal data in memory. Without a store, returns a new cache.
 */
export function drawnDiagrams(store: object | null): DrawnDiagrams {
  const known = store && ofStores.get(store);
  if (known) return known;
  const diagrams = new DrawnDiagrams();
  if (store) ofStores.set(store, diagrams);
  return diagrams;
}
