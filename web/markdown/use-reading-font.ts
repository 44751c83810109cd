import { useLayoutEffect, useState } from "react";
import { SECOND } from "#contract/limits.ts";
import { applyReadingFont, isReadingFontLoaded, isSetInSerif, loadReadingFont } from "../ui/appearance/reading-font.ts";

/** After this time the text is shown in Inter. Text that is held becomes visible after the same time (plain-reply.css). */
const PATIENCE_MS = SECOND;

/** Number of mounted answers whose text is visible. While there are some, the typeface does not change. */
let shown = 0;

/**
 * Returns true while the caller should hide its text, because the typeface of the text is loading. If that takes too
 * long, all answers on the screen stay in Inter, and the typeface applies to the next chat that is opened.
 */
export function useReadingFont(text: string): boolean {
  const [first] = useState(text);
  const [isAwaited, setAwaited] = useState(() => isSetInSerif(first) && !isReadingFontLoaded(first));
  useLayoutEffect(() => {
    if (!isSetInSerif(first)) return;
    if (!isAwaited) {
      if (shown === 0 && isReadingFontLoaded(first)) applyReadingFont();
      shown += 1;
      return () => {
        shown -= 1;
      };
    }
    const end = () => setAwaited(false);
    const timer = setTimeout(end, PATIENCE_MS);
    loadReadingFont(first).then(end, end);
    return () => clearTimeout(timer);
  }, [isAwaited, first]);
  return isAwaited;
}
