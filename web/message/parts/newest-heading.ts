/** A line that is a heading, or bold as a whole. */
const HEADING = /^(?:#{1,6}\s+(.+?)\s*#*|\*\*(.+?)\*\*:?)\s*$/;
const MARKS = /[*_`]/g;
/** A summary's first heading is near its beginning; older text than this is not searched again (UTF-16 units). */
const SEARCHED = 8192;

/** Returns the newest heading in reasoning, without its marks; null if there is none. An unfinished line is none. */
export function newestHeading(text: string): string | null {
  const lines = text.slice(-SEARCHED).split("\n");
  for (const line of lines.toReversed()) {
    const found = HEADING.exec(line);
    const words = (found?.[1] ?? found?.[2])?.replaceAll(MARKS, "").trim();
    if (words) return words;
  }
  return null;
}
