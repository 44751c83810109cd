/**
 * Longest repetition in UTF-16 units. A repetition of fewer than 10 units cannot be distinguished from new text
 * (`MIN_OVERLAP` of the server's `overlap-filter.ts`), so it may be stored twice.
 */
const MAX_REPEATED = 9;

/**
 * Removes the repetitions of continuations from a text. A repetition is at most {@link MAX_REPEATED} units directly
 * after a seam that equal the units before it. Other text that is not in the answer stays in the result, which is then
 * no prefix of the answer.
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

/** Length of the repetition at the beginning of a segment; 0 if the segment continues the answer directly. */
function repeatedLength(said: string, segment: string, answer: string): number {
  for (let length = 0; length <= Math.min(MAX_REPEATED, said.length, segment.length); length++) {
    if (said.endsWith(segment.slice(0, length)) && answer.startsWith(segment.slice(length), said.length)) return length;
  }
  return 0;
}
