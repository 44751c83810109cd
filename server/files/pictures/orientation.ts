/** Orientation of a picture that is stored upright: nothing to rotate or mirror. */
export const UPRIGHT = 1;
const [LAST_ORIENTATION, FIRST_TRANSPOSED] = [8, 5];

const ORIENTATION_TAG = 0x0112;
/** Type of a TIFF entry: unsigned integer of 16 bits. */
const SHORT = 3;
const ENTRY_BYTES = 12;
const [LITTLE_ENDIAN, BIG_ENDIAN] = ["II*\0", "MM\0*"];

/**
 * Returns the orientation in EXIF metadata, from 1 to 8 as in TIFF 6.0; 1 if there is no valid one. Reads the first
 * image file directory only, as browsers do.
 * @param tiff the metadata from the TIFF header on
 */
export function orientationOf(tiff: Buffer): number {
  const order = tiff.toString("latin1", 0, 4);
  if (order !== LITTLE_ENDIAN && order !== BIG_ENDIAN) return UPRIGHT;
  const [short, long] =
    order === LITTLE_ENDIAN
      ? [(at: number) => tiff.readUInt16LE(at), (at: number) => tiff.readUInt32LE(at)]
      : [(at: number) => tiff.readUInt16BE(at), (at: number) => tiff.readUInt32BE(at)];
  if (tiff.length < 8) return UPRIGHT;
  const directory = long(4);
  if (directory + 2 > tiff.length) return UPRIGHT;
  const entries = directory + 2;
  const end = Math.min(entries + short(directory) * ENTRY_BYTES, tiff.length);
  for (let at = entries; at + ENTRY_BYTES <= end; at += ENTRY_BYTES) {
    if (short(at) !== ORIENTATION_TAG) continue;
    const value = short(at + 8);
    const isValid = short(at + 2) === SHORT && long(at + 4) === 1 && value >= UPRIGHT && value <= LAST_ORIENTATION;
    return isValid ? value : UPRIGHT;
  }
  return UPRIGHT;
}

/** Returns EXIF metadata, from the TIFF header on, that holds an orientation and nothing else. */
export function orientationOnly(orientation: number): Buffer {
  // One directory at position 8 with one entry, and no directory after it.
  return Buffer.from([
    ...Buffer.from(BIG_ENDIAN, "latin1"),
    ...[0, 0, 0, 8, 0, 1],
    ...[ORIENTATION_TAG >> 8, ORIENTATION_TAG & 0xff, 0, SHORT, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  ]);
}

/** Returns the dimensions that are displayed. The orientations from 5 on exchange width and height. */
export function displayed(width: number, height: number, orientation: number): { width: number; height: number } {
  return orientation < FIRST_TRANSPOSED ? { width, height } : { width: height, height: width };
}
