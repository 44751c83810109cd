import "./long-text.css";
import { memo, useState } from "react";
import { piecesOf } from "#contract/text/costly-runs.ts";

/** Pieces of a group, which React compares as a whole: an update does not visit each piece of a long text. */
const GROUP = 16;

/** Very long plain text, in pieces that are laid out when they come into view: an update costs its last piece. */
export function LongText({ text }: { text: string }) {
  const [splitter] = useState(() => new PieceSplitter());
  // biome-ignore lint/suspicious/noArrayIndexKey: a group is identified by its index
  return splitter.split(text).map((group, index) => <Group key={index} pieces={group} />);
}

const Group = memo(function Group({ pieces }: { pieces: readonly string[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its index
  return pieces.map((piece, index) => <Piece key={index} text={piece} />);
});

const Piece = memo(function Piece({ text }: { text: string }) {
  return <div className="reply-piece whitespace-pre-wrap">{text}</div>;
});

/** Splits a growing text into groups of pieces. All but the last group stay the same, and are not searched again. */
class PieceSplitter {
  #text = "";
  #groups: readonly (readonly string[])[] = [];
  /** Position of the last group (UTF-16 units). */
  #start = 0;

  split(text: string): readonly (readonly string[])[] {
    if (!text.startsWith(this.#text)) {
      this.#groups = [];
      this.#start = 0;
    }
    const groups = this.#groups.slice(0, -1);
    let rest = piecesOf(text.slice(this.#start));
    for (; rest.length > GROUP; rest = rest.slice(GROUP)) {
      const group = rest.slice(0, GROUP);
      groups.push(group);
      this.#start += group.join("").length;
    }
    this.#text = text;
    this.#groups = [...groups, rest];
    return this.#groups;
  }
}
