import "./long-text.css";
import { memo, useState } from "react";

/** Length of a piece in characters. Layout of a run without spaces takes time quadratic in its length. */
export const PIECE = 4000;
const PIECES = new RegExp(String.raw`[^]{1,${PIECE - 1}}(?:\n|$)|[^]{1,${PIECE}}`, "gu");

/** Very long plain text, in pieces that are laid out when they come into view: an update costs its last piece. */
export function LongText({ text }: { text: string }) {
  const [splitter] = useState(() => new PieceSplitter());
  // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its index
  return splitter.split(text).map((piece, index) => <Piece key={index} text={piece} />);
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <div className="reply-piece whitespace-pre-wrap">{text}</div>;
});

/** Splits a growing text. All pieces but the last stay the same while it grows, and are not searched again. */
class PieceSplitter {
  #text = "";
  #pieces: readonly string[] = [];

  split(text: string): readonly string[] {
    if (text === this.#text) return this.#pieces;
    const settled = text.startsWith(this.#text) ? this.#pieces.slice(0, -1) : [];
    const start = settled.reduce((sum, { length }) => sum + length, 0);
    this.#pieces = [...settled, ...(text.slice(start).match(PIECES) ?? [])];
    this.#text = text;
    return this.#pieces;
  }
}
