/** Returns at most `max` UTF-16 units of a well-formed text, without half a surrogate pair at the end. */
export function cutChars(text: string, max: number): string {
  if (text.length <= max) return text;
  const isPairCut = /[\uD800-\uDBFF]/.test(text.charAt(max - 1));
  return text.slice(0, max - (isPairCut ? 1 : 0));
}
