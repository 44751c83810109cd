/** Detects passwords that are easily guessed. The caller provides the word lists, because they are long. */

import { normalizeText } from "../text/normalize-text.ts";

/** Names of a password's owner. Empty ones are ignored. */
export type OwnerNames = { firstname: string; lastname: string; username: string; email: string };
/** Owner of a password and the product's name. */
export type PasswordOwner = OwnerNames & { productName: string };

/** `common`: on a list of leaked passwords; `personal`: the owner's names or address, or the product's name. */
export type Guessable = "common" | "personal";

/** A password with up to this many characters beside a common word (a year, a date, marks) is guessed as well. */
const ADDED_MAX = 6;
/** Shorter names are ignored, because they occur inside any word. */
const NAME_MIN = 2;

/**
 * Returns why a password is easily guessed, or `null`. Ignores case and width of letters, and digits and marks before
 * or after a word; inside names they are ignored as well.
 * @param isCommon whether a lower-case word is on the list
 */
export function guessable(
  password: string,
  { email, ...names }: PasswordOwner,
  isCommon: (word: string) => boolean,
): Guessable | null {
  const folded = fold(password);
  if (isCommon(folded)) return "common";
  if (isMadeOf(lettersAndDigits(password), [...Object.values(names), email, email.split("@")[0] ?? ""])) {
    return "personal";
  }
  const word = bare(folded);
  return word !== "" && folded.length - word.length <= ADDED_MAX && isCommon(word) ? "common" : null;
}

/** Checks whether all letters of a text come from these names, repeated in any order, with digits between them. */
function isMadeOf(text: string, names: readonly string[]): boolean {
  const words = names
    .map(lettersAndDigits)
    .flatMap((name) => [name, bare(name)])
    .filter((word) => word.length >= NAME_MIN)
    .sort((a, b) => b.length - a.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), text);
  return rest !== text && !/\p{L}/u.test(rest);
}

/** Normalises like password comparison does, and folds case. The browser does not limit the length of this input. */
function fold(text: string): string {
  return normalizeText(text, "NFKC").toLowerCase();
}

function lettersAndDigits(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Trims characters that are not letters. */
function bare(text: string): string {
  return text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}
