/** Writing directions: of the page, and of texts within its sentences. */

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/** Returns the arrow keys that enter and leave a submenu, as `KeyboardEvent.key`. */
export const keysOfMenu = () =>
  document.dir === "rtl" ? { into: "ArrowLeft", out: "ArrowRight" } : { into: "ArrowRight", out: "ArrowLeft" };

/** Returns the direction of a text by its first letter, as `dir="auto"` does. */
export function directionOf(text: string): "ltr" | "rtl" | "auto" {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return "auto";
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

/**
 * Isolates a text within a sentence of the other direction (Unicode bidi isolates), so that an English title stays
 * together in an Arabic line. The marks are invisible; numbers get none.
 */
export function isolate(text: string, isSentenceRightToLeft: boolean): string {
  const isForeign = isSentenceRightToLeft ? /\D/.test(text) : RIGHT_TO_LEFT.test(text);
  return isForeign ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text;
}
