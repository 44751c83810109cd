import "./long-text.css";
import { memo, useState } from "react";
import { piecesOf } from "#contract/text/costly-runs.ts";

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
    this.#pieces = [...settled, ...piecesOf(text.slice(start))];
    this.#text = text;
    return this.#pieces;
  }
}
