import "./plain-reply.css";
import { hasStackedMarks } from "#contract/text/stacked-marks.ts";
import { cx } from "../../ui/components/cx.ts";

/**
 * Raw text of a reply, shown until the lazy Markdown module is loaded. `isHeld`: the text reserves its space but is
 * visible only if loading takes long.
 */
export function PlainReply({ text, isHeld = false }: { text: string; isHeld?: boolean }) {
  return (
    <div
      className={cx(
        "reply reply-plain whitespace-pre-wrap",
        isHeld && "reply-held",
        hasStackedMarks(text) && "stacked-marks",
      )}
    >
      {text}
    </div>
  );
}
