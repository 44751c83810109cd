import type { Drawn } from "../../sandbox/diagram-messages.ts";

const MOST_KNOWN = 200;

/** What was drawn, by its source: a diagram that comes back has its height at once. */
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
 * The drawings of the chats in a store, which is one account's: they are garbage with it, as a sign-out must leave
 * nothing of a person in memory. Without a store, an empty cache.
 */
export function drawnDiagrams(store: object | null): DrawnDiagrams {
  const known = store && ofStores.get(store);
  if (known) return known;
  const diagrams = new DrawnDiagrams();
  if (store) ofStores.set(store, diagrams);
  return diagrams;
}
