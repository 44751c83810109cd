import { piecesOf } from "./hit-groups.ts";

type MarkedTextProps = { text: string; marks: readonly (readonly [number, number])[] };

/** A text in which what was found is marked. */
export function MarkedText({ text, marks }: MarkedTextProps) {
  return piecesOf(text, marks).map((piece) =>
    piece.isMarked ? (
      <mark key={piece.at} className="rounded-small bg-accent-soft font-semibold text-ink">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );
}
