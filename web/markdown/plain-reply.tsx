import "./plain-reply.css";
import { cx } from "../ui/components/cx.ts";

/**
 * A reply's words as they came: shown until the part that sets Markdown is there. `isHeld`: they keep their place and
 * appear only if that takes long.
 */
export function PlainReply({ text, isHeld = false }: { text: string; isHeld?: boolean }) {
  return <div className={cx("reply whitespace-pre-wrap", isHeld && "reply-held")}>{text}</div>;
}
