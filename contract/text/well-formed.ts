import * as z from "zod/mini";

/** Makes text safe for all databases and clients: U+0000 and lone surrogates become U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** A string used in queries, such as an id: of any form, but well-formed. */
export const looseText = (maxLength = 1000) => z.string().check(z.maxLength(maxLength), z.overwrite(wellFormed));
