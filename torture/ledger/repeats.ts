/**
 * In UTF-16 units. A continuation that repeats fewer than 10 cannot be told from new text (`MIN_OVERLAP` of the server's
 * `overlap-filter.ts`), so that many may be stored again.
 */
const MAX_REPEATED = 9;

/**
 * The part of a provider's answer that a text holds: the text without what continuations repeated. A repeat is at most
 * {@link MAX_REPEATED} units that follow directly on a seam and equal those before it. Anything else that is not in the
 * answer stays in the result, which then is no beginning of the answer.
 * @param seams lengths of the text (UTF-16 units) at which it was continued, ascending
 */
export function withoutRepeats(text: string, seams: readonly number[], answer: string): string {
  const starts = [0, ...seams.filter((at) => at > 0 && at < text.length)];
  let said = "";
  for (const [index, start] of starts.entries()) {
    const segment = text.slice(start, starts[index + 1]);
    said += segment.slice(repeatedLength(said, segment, answer));
  }
  return said;
}

/** How much of a segment repeats the end of what was said before; 0 where the answer goes on with it as it is. */
function repeatedLength(said: string, segment: string, answer: string): number {
  for (let length = 0; length <= Math.min(MAX_REPEATED, said.length, segment.length); length++) {
    if (said.endsWith(segment.slice(0, length)) && answer.startsWith(segment.slice(length), said.length)) return length;
  }
  return 0;
}
