import "./plain-reply.css";
import { hasCostlyRun, PIECE } from "#contract/text/costly-runs.ts";
import { cx } from "../../ui/components/cx.ts";
import { LongText } from "./long-text.tsx";

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
        hasCostlyRun(text) && "simple-shaping",
      )}
    >
      {text.length > PIECE ? <LongText text={text} /> : text}
    </div>
  );
}
