import { BrokenPicture, type PicturePiece } from "./picture.ts";

/**
 * Bound of the pieces of one picture. A picture has a few, an animation with unknown data in each frame a few for each
 * frame.
 */
const MAX_PIECES = 10_000;

/** Collects the pieces of a picture that are stored, and merges adjacent ranges. */
export class PieceList {
  readonly pieces: PicturePiece[] = [];
  #size = 0;

  /** Size of all pieces in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Adds a range of the source; `to` is exclusive. @throws BrokenPicture if there are too many pieces */
  addRange(from: number, to: number): void {
    this.#size += to - from;
    const last = this.pieces.at(-1);
    if (last && !(last instanceof Uint8Array) && last.to === from) last.to = to;
    else this.#add({ from, to });
  }

  /** Adds bytes that are not in the source. @throws BrokenPicture if there are too many pieces */
  addBytes(bytes: Uint8Array): void {
    this.#size += bytes.length;
    this.#add(bytes);
  }

  /** Adds the pieces of another list. @throws BrokenPicture if there are too many */
  addAll(other: PieceList): void {
    for (const piece of other.pieces) {
      if (piece instanceof Uint8Array) this.addBytes(piece);
      else this.addRange(piece.from, piece.to);
    }
  }

  #add(piece: PicturePiece): void {
    if (this.pieces.push(piece) > MAX_PIECES) throw new BrokenPicture("The picture is in too many pieces");
  }
}
