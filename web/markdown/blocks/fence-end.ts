/** Where the fenced block ends that these marks began before `from`; of one that is still open, the text's end. */
export function fenceEnd(text: string, from: number, marks: string): number {
  const close = new RegExp(`^ {0,3}${marks.charAt(0)}{${marks.length},}[ \\t]*$`, "gm");
  close.lastIndex = from;
  return close.test(text) ? close.lastIndex : text.length;
}
