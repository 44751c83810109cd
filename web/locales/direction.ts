/** Directions of writing: of the page, and of what stands within its sentences. */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/** The arrow keys of the keyboard that lead into a menu and out of it, as `KeyboardEvent.key`. */
export const keysOfMenu = () =>
  document.dir === "rtl" ? { into: "ArrowLeft", out: "ArrowRight" } : { into: "ArrowRight", out: "ArrowLeft" };

/** In which direction a text is written, as `dir="auto"` has it: by its first letter. */
export function directionOf(text: string): "ltr" | "rtl" | "auto" {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return "auto";
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

/**
 * Keeps a text within a sentence together, where its direction may be another one than the sentence's: a title in
 * English does not scatter over a line in Arabic. The marks are invisible; numbers go without them.
 */
export function isolate(text: string, isSentenceRightToLeft: boolean): string {
  const isForeign = isSentenceRightToLeft ? /\D/.test(text) : RIGHT_TO_LEFT.test(text);
  return isForeign ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}
