import "./long-text.css";
import { memo, useMemo } from "react";
import { cutBefore } from "../render-budget.ts";

/** In UTF-16 units. Layout of a run without spaces takes time quadratic in its length. */
const PIECE = 4000;

/** Very long plain text, in pieces that are laid out when they come into view: an update costs its last piece. */
export function LongText({ text }: { text: string }) {
  const pieces = useMemo(() => piecesOf(text), [text]);
  // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its index
  return pieces.map((piece, index) => <Piece key={index} text={piece} />);
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <div className="reply-piece whitespace-pre-wrap">{text}</div>;
});

/** Splits the text. All pieces but the last stay the same while the text grows. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE < text.length ? cutBefore(text, start, start + PIECE) : text.length;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}
