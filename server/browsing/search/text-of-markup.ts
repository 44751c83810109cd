import { decodeNamedCharacterReference } from "decode-named-character-reference";

/** In UTF-16 units. More is not read: the patterns below are quadratic. */
const MAX_MARKUP = 4000;

/** Returns the text of a line of HTML with tags of emphasis and character references, as Brave sends it. */
export function textOfMarkup(markup: unknown): string {
  if (typeof markup !== "string") return "";
  return markup
    .slice(0, MAX_MARKUP)
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,30}));/gi, (whole, decimal, hex, name) =>
      name === undefined
        ? characterOf(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
        : decodeNamedCharacterReference(name) || whole,
    );
}

const characterOf = (code: number) => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD");
