/** Returns the end of the fenced block that `marks` opened before `from`; the end of the text if it is still open. */
export function fenceEnd(text: string, from: number, marks: string): number {
  const close = new RegExp(`^ {0,3}${marks.charAt(0)}{${marks.length},}[ \\t]*$`, "gm");
  close.lastIndex = from;
  return close.test(text) ? close.lastIndex : text.length;
}
