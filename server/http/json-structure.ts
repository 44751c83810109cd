import { setImmediate } from "node:timers/promises";
import { Failure } from "../failure.ts";

/**
 * Limit of objects and arrays in one body. An import of 16 MB has at most 125,000 messages, each with an array of
 * seams.
 */
const MAX_CONTAINERS = 300_000;
/** Limit of commas in one body. Each of those messages has ten. */
const MAX_COMMAS = 2_000_000;
/** Limit of keys in one object: twice as many as the largest object of the contract has. */
const MAX_KEYS = 64;
/** UTF-16 units between two yields to the event loop. */
export const STEP = 128 * 1024;

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses a body that `JSON.parse` would need seconds for: 16 MB of empty arrays, or one object of a million keys.
 * Scans in steps and yields to the event loop between them. Does not check whether the text is valid JSON.
 * @throws Failure `invalid-input` if it has more objects, arrays, values or keys than any request needs
 */
export async function refuseCostlyJson(text: string): Promise<void> {
  for (const _ of structureSteps(text)) await setImmediate();
}

/** Scans a text for {@link refuseCostlyJson}. @yields after each step */
export function* structureSteps(text: string): Generator<undefined> {
  const keys: number[] = [];
  let [containers, commas, stepEnd] = [0, 0, STEP];
  for (let at = 0; at < text.length; at++) {
    if (at >= stepEnd) {
      yield;
      stepEnd = at + STEP;
    }
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = yield* endOfString(text, at);
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      keys.push(0);
      if (++containers > MAX_CONTAINERS) throw new Failure("invalid-input");
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) keys.pop();
    else if (unit === COLON) {
      const count = (keys.pop() ?? 0) + 1;
      if (count > MAX_KEYS) throw new Failure("invalid-input");
      keys.push(count);
    } else if (unit === COMMA && ++commas > MAX_COMMAS) throw new Failure("invalid-input");
  }
}

/** Returns the index of the closing quote of the string that begins at `start`, or the length of the text. @yields after each step */
export function* endOfString(text: string, start: number): Generator<undefined, number> {
  let stepEnd = start + STEP;
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (end >= stepEnd) {
      yield;
      stepEnd = end + STEP;
    }
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
