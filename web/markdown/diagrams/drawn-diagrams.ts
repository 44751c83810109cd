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

/** They are somebody's words: with the session they are let go. */
const ofSessions = new WeakMap<object, DrawnDiagrams>();

/** Those of a session; of none, an empty one. */
export function drawnDiagrams(session: object | null): DrawnDiagrams {
  const known = session && ofSessions.get(session);
  if (known) return known;
  const diagrams = new DrawnDiagrams();
  if (session) ofSessions.set(session, diagrams);
  return diagrams;
}
