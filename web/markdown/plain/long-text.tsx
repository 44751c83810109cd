import "./long-text.css";
import { memo, useMemo } from "react";

/** Length of a piece in characters. Layout of a run without spaces takes time quadratic in its length. */
export const PIECE = 4000;
const PIECES = new RegExp(String.raw`[^]{1,${PIECE - 1}}(?:\n|$)|[^]{1,${PIECE}}`, "gu");

/** Very long plain text, in pieces that are laid out when they come into view: an update costs its last piece. */
export function LongText({ text }: { text: string }) {
  // All pieces but the last stay the same while the text grows.
  const pieces = useMemo(() => text.match(PIECES) ?? [], [text]);
  // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its index
  return pieces.map((piece, index) => <Piece key={index} text={piece} />);
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <div className="reply-piece whitespace-pre-wrap">{text}</div>;
});
