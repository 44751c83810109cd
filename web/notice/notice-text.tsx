/** A notice to everybody: plain text, which may have several lines. A long one scrolls. */
export function NoticeText({ text }: { text: string }) {
  return (
    <p dir="auto" className="max-h-[min(10rem,25dvh)] overflow-y-auto whitespace-pre-line break-words">
      {text}
    </p>
  );
}
