/** Passwords that others guess first. What is on lists is for the caller to look up: they are long. */

import { normalizeText } from "./text/normalize-text.ts";

/** Who chooses a password, and where: what of it is empty is not looked at. */
export type PasswordOwner = { username: string; email: string; productName: string };

/** `common`: on lists of leaked ones; `personal`: the account's own name or address, or the product's name. */
export type Guessable = "common" | "personal";

/** So many characters beside a common word are guessed with it: a year, a date, a few marks. */
const ADDED_MAX = 6;
/** Shorter ones are within anything. */
const NAME_MIN = 2;

/**
 * Why a password is easily guessed, `null` where it is not. Neither case nor width of letters counts, nor do digits and
 * marks before or after a word; in names also those within.
 * @param isCommon whether a word in lower case is on the list
 */
export function guessable(
  password: string,
  { username, email, productName }: PasswordOwner,
  isCommon: (word: string) => boolean,
): Guessable | null {
  const folded = fold(password);
  if (isCommon(folded)) return "common";
  if (isMadeOf(lettersAndDigits(password), [username, email, email.split("@")[0] ?? "", productName])) {
    return "personal";
  }
  const word = bare(folded);
  return word !== "" && folded.length - word.length <= ADDED_MAX && isCommon(word) ? "common" : null;
}

/** Whether all letters of a text come from these names, however often, in whichever order and with digits between. */
function isMadeOf(text: string, names: readonly string[]): boolean {
  const words = names
    .map(lettersAndDigits)
    .flatMap((name) => [name, bare(name)])
    .filter((word) => word.length >= NAME_MIN)
    .sort((a, b) => b.length - a.length);
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), text);
  return rest !== text && !/\p{L}/u.test(rest);
}

/** As passwords are compared, and regardless of case. The browser has no bound on what somebody types here. */
function fold(text: string): string {
  return normalizeText(text, "NFKC").toLowerCase();
}

function lettersAndDigits(text: string): string {
  return fold(text).replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Without what is no letter at its ends. */
function bare(text: string): string {
  return text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
}
