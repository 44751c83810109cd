import { setImmediate } from "node:timers/promises";
import { Failure } from "../failure.ts";
import { type JsonVisitor, scanJson } from "./scan-json.ts";

/**
 * Limit of objects and arrays in one body. An import of 16 MB has at most 125,000 messages, each with an array of
 * seams.
 */
const MAX_CONTAINERS = 300_000;
/** Limit of commas in one body. Each of those messages has ten. */
const MAX_COMMAS = 2_000_000;
/** Limit of keys in one object: twice as many as the largest object of the contract has. */
const MAX_KEYS = 64;
/**
 * Refuses a body that `JSON.parse` would need seconds for: 16 MB of empty arrays, or one object of a million keys.
 * Scans in steps and yields to the event loop between them. Does not check whether the text is valid JSON.
 * @throws Failure `invalid-input` if it has more objects, arrays, values or keys than any request needs
 */
export async function refuseCostlyJson(text: string): Promise<void> {
  for (const _ of structureSteps(text)) await setImmediate();
}

/** Scans a text for {@link refuseCostlyJson}. @yields after each step */
export function structureSteps(text: string): Generator<undefined> {
  return scanJson(text, new Costs());
}

/** Counts what `JSON.parse` needs time for. */
class Costs implements JsonVisitor {
  readonly #keys: number[] = [];
  #containers = 0;
  #commas = 0;

  open(): boolean {
    this.#keys.push(0);
    if (++this.#containers > MAX_CONTAINERS) throw new Failure("invalid-input");
    return false;
  }

  close(): boolean {
    this.#keys.pop();
    return false;
  }

  comma(): boolean {
    if (++this.#commas > MAX_COMMAS) throw new Failure("invalid-input");
    return false;
  }

  colon(): boolean {
    const count = (this.#keys.pop() ?? 0) + 1;
    if (count > MAX_KEYS) throw new Failure("invalid-input");
    this.#keys.push(count);
    return false;
  }
}
