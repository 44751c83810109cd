import { NAME_MAX, NAME_MIN, USERNAME_MAX, USERNAME_MIN } from "#contract/limits.ts";
import { normalizeText } from "#contract/text/normalize-text.ts";

/** Names of a person as a provider states them; each may be empty. */
export type StatedNames = { name: string; givenName: string; familyName: string };

/** Latin letters that Unicode does not decompose into a letter and an accent. */
const plain: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  Æ: "Ae",
  œ: "oe",
  Œ: "Oe",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  ł: "l",
  Ł: "L",
  þ: "th",
  Þ: "Th",
  ı: "i",
};

const FALLBACK_LASTNAME = "User";
const FALLBACK_USERNAME = "user";

/**
 * Returns first and last name, of letters only, as accounts require.
 * @param fallback the first name for a person whose names have no Latin letters
 */
export function personNamesOf(
  { name, givenName, familyName }: StatedNames,
  fallback: string,
): { firstname: string; lastname: string } {
  const [first = "", ...others] = name.trim().split(/\s+/);
  return {
    firstname: personName(givenName || first) ?? fallback,
    lastname: personName(familyName || (others.at(-1) ?? "")) ?? FALLBACK_LASTNAME,
  };
}

/** Generates usernames to try, from the person's name; endless, with growing random numbers. */
export function* usernamesFor({ name, givenName, familyName }: StatedNames): Generator<string> {
  const base = toLatin(name || `${givenName}${familyName}`).replaceAll(/[^a-zA-Z0-9]/g, "");
  const stem = base.length >= USERNAME_MIN ? base : base + FALLBACK_USERNAME;
  yield stem.slice(0, USERNAME_MAX);
  for (let digits = 1; ; digits = Math.min(digits + 3, 9)) {
    const number = String(Math.floor(10 ** (digits - 1) * (1 + 9 * Math.random())));
    yield stem.slice(0, USERNAME_MAX - number.length) + number;
  }
}

function personName(text: string): string | undefined {
  const letters = toLatin(text)
    .replaceAll(/[^a-zA-Z]/g, "")
    .slice(0, NAME_MAX);
  return letters.length >= NAME_MIN ? letters : undefined;
}

function toLatin(text: string): string {
  return normalizeText(text, "NFKD").replaceAll(/[^\0-\x7f]/g, (character) => plain[character] ?? "");
}
