import { type DiskFloor, refuseBelowFloor } from "../config/disk-space.ts";
import { Failure } from "../failure.ts";

/** Bytes between two questions for free disk space. */
const ASK_EVERY_BYTES = 4 * 1024 * 1024;

/**
 * Yields the bytes of a body, whatever length its headers declare. A body that is longer is not read to its end.
 * @param exactly number of bytes that the body must have
 * @throws Failure `invalid-input` at the first byte too many, which is not yielded, and at an end with bytes missing;
 * what the iteration throws
 */
export async function* bounded(bytes: AsyncIterable<Uint8Array>, exactly: number): AsyncGenerator<Uint8Array> {
  let left = exactly;
  for await (const piece of bytes) {
    if (piece.length > left) throw new Failure("invalid-input");
    left -= piece.length;
    yield piece;
  }
  if (left > 0) throw new Failure("invalid-input");
}

/**
 * Yields bytes while the disk has free space above the floor. Asks every 4 MB: a file may be larger than what is free,
 * and others write at the same time.
 * @throws Failure `storage-full`; what the iteration throws
 */
export async function* whileAboveFloor(bytes: AsyncIterable<Uint8Array>, floor: DiskFloor): AsyncGenerator<Uint8Array> {
  let unasked = 0;
  for await (const piece of bytes) {
    if (unasked >= ASK_EVERY_BYTES) {
      await refuseBelowFloor(floor);
      unasked = 0;
    }
    unasked += piece.length;
    yield piece;
  }
}
