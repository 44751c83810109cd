const FIRST_PLAIN = 0x4e00;
/** Needs two UTF-16 units, so that a character cut in two would show. */
const FIRST_WIDE = 0x20000;
const CHARACTERS = 20_000;
const EACH_WIDE = 5;
const EACH_SPACED = 3;
const GAP_BETWEEN_QUESTIONS = 997;

/**
 * A reply in pieces, each with a character that comes nowhere else in it: whatever is missing, repeated or of another
 * reply shows, and nowhere does the text repeat itself, so that the rule which drops a repeated overlap has nothing
 * to err about.
 * @param padding characters of filling in each piece, for replies that must be long
 */
export function numberedPieces(question: number, count: number, padding = 0): string[] {
  const first = (question * GAP_BETWEEN_QUESTIONS) % CHARACTERS;
  const filling = "…".repeat(padding);
  return Array.from({ length: count }, (_, index) => {
    const number = (first + index) % CHARACTERS;
    const code = (index % EACH_WIDE === EACH_WIDE - 1 ? FIRST_WIDE : FIRST_PLAIN) + number;
    return String.fromCodePoint(code) + filling + (index % EACH_SPACED === 0 ? " " : "");
  });
}
