/**
 * A notice to everybody: plain text, which may have several lines. A long one scrolls: half a line is cut off, as a
 * sign of it.
 */
export function NoticeText({ text }: { text: string }) {
  return (
    <p dir="auto" className="max-h-[min(7.5lh,25dvh)] overflow-y-auto whitespace-pre-line break-words">
      {text}
    </p>
  );
}
