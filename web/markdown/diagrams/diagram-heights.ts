import { StoredText } from "../../storage/stored-text.ts";
import { HEIGHTS_KEY } from "./diagram-limits.ts";

const stored = new StoredText(HEIGHTS_KEY, "The heights of diagrams");

const MOST_STORED = 300;
/** Of source, in CSS pixels: about what the source took while it was written. */
const LINE_HEIGHT = 21;
const PADDING = 32;
const TALLEST_UNKNOWN = 480;

/**
 * Returns the height for a diagram that is not drawn yet, in CSS pixels: what it had when this browser last drew it, so
 * that a chat that is opened again does not move; else that of its source.
 */
export function expectedHeight(source: string): number {
  const known = read().get(keyOf(source));
  return known ?? Math.min(source.split("\n").length * LINE_HEIGHT + PADDING, TALLEST_UNKNOWN);
}

/** Stores the height of a drawn diagram, in CSS pixels. */
export function keepHeight(source: string, height: number): void {
  const heights = read();
  const key = keyOf(source);
  if (heights.get(key) === height) return;
  heights.delete(key);
  const newest = [...heights, [key, height] as const].slice(-MOST_STORED);
  stored.set(newest.map((entry) => entry.join(":")).join(" "));
}

function read(): Map<string, number> {
  const entries = (stored.get() ?? "").split(" ").map((entry): [string, number] => {
    const [key = "", height] = entry.split(":");
    return [key, Number(height)];
  });
  return new Map(entries.filter(([, height]) => height > 0));
}

/** 32-bit FNV-1a with the length: two diagrams with one key would only begin with a wrong height. */
function keyOf(source: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < source.length; at++) hash = Math.imul(hash ^ source.charCodeAt(at), 0x01000193);
  return `${(hash >>> 0).toString(36)}-${source.length}`;
}
