import type { ByteCursor } from "./byte-cursor.ts";
import { displayed, orientationOf, orientationOnly, UPRIGHT } from "./orientation.ts";
import { BrokenPicture, checkDimensions, type Picture } from "./picture.ts";
import { PieceList } from "./piece-list.ts";

// Markers of ITU-T T.81, table B.1.
const [SOI, EOI, SOS, TEM, DNL, COM] = [0xd8, 0xd9, 0xda, 0x01, 0xdc, 0xfe];
const [DHT, DAC, DQT, DRI] = [0xc4, 0xcc, 0xdb, 0xdd];
const [APP0, APP1, APP2, APP14, APP15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef];
const [RST0, RST7] = [0xd0, 0xd7];

/** Tables that decoders need. */
const tables: ReadonlySet<number> = new Set([DHT, DAC, DQT, DRI]);
/** Start of a frame; not those of hierarchical files, which no browser shows. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc9, 0xca, 0xcb]);

const [JFIF, EXIF, ICC, ADOBE] = ["JFIF\0", "Exif\0\0", "ICC_PROFILE\0", "Adobe"];
/** Bytes of the JFIF segment up to the dimensions of its thumbnail, and of the whole Adobe segment. */
const [JFIF_BYTES, ADOBE_BYTES] = [12, 12];

/** State of the reader. `exif`: orientation of the first EXIF segment; browsers ignore the others. */
type Found = {
  pieces: PieceList;
  frame: { width: number; height: number } | null;
  exif: number | null;
  hasJfif: boolean;
  hasScan: boolean;
};

/**
 * Reads a JPEG file (ITU-T T.81) up to the end of its first image. Keeps the frame, tables and scans. Of application
 * segments keeps JFIF without its thumbnail, ICC profiles and Adobe's colour transform; of EXIF the orientation.
 * @throws BrokenPicture
 */
export async function readJpeg(cursor: ByteCursor): Promise<Picture> {
  if ((await cursor.take(2)).readUInt16BE() !== 0xff00 + SOI) throw new BrokenPicture("The file is no JPEG");
  const found: Found = { pieces: new PieceList(), frame: null, exif: null, hasJfif: false, hasScan: false };
  found.pieces.addRange(0, 2);
  for (let marker = await takeMarker(cursor); marker !== EOI; marker = await takeMarker(cursor)) {
    if (marker !== TEM) await readSegment(cursor, marker, found);
  }
  const { pieces, frame, exif, hasScan } = found;
  if (!frame || !hasScan) throw new BrokenPicture("The JPEG has no scan");
  pieces.addRange(cursor.position - 2, cursor.position);
  return { ...displayed(frame.width, frame.height, exif ?? UPRIGHT), pieces: pieces.pieces };
}

/** Advances behind the next marker and returns its code. */
async function takeMarker(cursor: ByteCursor): Promise<number> {
  await skipToMarker(cursor);
  cursor.countChunk();
  return (await cursor.take(2)).readUInt8(1);
}

/**
 * Advances to the next marker that is not a restart marker. In a scan FF 00 is a byte of data; before a marker any
 * number of FF may be added. Between segments all other bytes are ignored, as libjpeg does.
 */
async function skipToMarker(cursor: ByteCursor): Promise<void> {
  for (;;) {
    const bytes = await cursor.ahead(2);
    let at = bytes.indexOf(0xff);
    while (at !== -1 && at + 1 < bytes.length) {
      const code = bytes.readUInt8(at + 1);
      const isData = code === 0 || (code >= RST0 && code <= RST7);
      if (!isData && code !== 0xff) {
        cursor.skip(at);
        return;
      }
      at = bytes.indexOf(0xff, at + 1);
    }
    cursor.skip(at === -1 ? bytes.length : at);
  }
}

/** Reads a segment, and the scan that follows its header. The cursor is behind the marker. */
async function readSegment(cursor: ByteCursor, marker: number, found: Found): Promise<void> {
  const from = cursor.position - 2;
  const length = (await cursor.ahead(2)).readUInt16BE();
  if (length < 2) throw new BrokenPicture("A segment of the JPEG has no length");
  if (marker >= APP0 && marker <= APP15) {
    readApplication(await cursor.take(length), marker, from, found);
    return;
  }
  if (frames.has(marker)) {
    if (found.frame) throw new BrokenPicture("The JPEG has two frames");
    found.frame = readFrame(await cursor.take(length));
  } else cursor.skip(length);
  // The lines of a picture are in its frame; another number after the first scan (DNL) is ignored by browsers.
  if (marker === COM || marker === DNL) return;
  if (marker === SOS) {
    if (!found.frame) throw new BrokenPicture("The JPEG has a scan before its frame");
    found.hasScan = true;
    await skipToMarker(cursor);
  } else if (!frames.has(marker) && !tables.has(marker)) {
    throw new BrokenPicture(`The JPEG has the marker ${marker.toString(16)}`);
  }
  found.pieces.addRange(from, cursor.position);
}

/** Returns the dimensions in a frame header, which begins with its length. */
function readFrame(header: Buffer): { width: number; height: number } {
  const isFrame = header.length >= 8 && header.length === 8 + 3 * header.readUInt8(7);
  if (!isFrame) throw new BrokenPicture("The frame header of the JPEG has a wrong length");
  const [height, width] = [header.readUInt16BE(3), header.readUInt16BE(5)];
  checkDimensions(width, height);
  return { width, height };
}

/** Keeps what decoders need of an application segment, which begins with its length. */
function readApplication(segment: Buffer, marker: number, from: number, found: Found): void {
  // Decoders have decided on colours, profile and orientation before the first scan.
  if (found.hasScan) return;
  const { pieces } = found;
  const data = segment.subarray(2);
  if (marker === APP0 && startsWith(data, JFIF) && data.length >= JFIF_BYTES + 2 && !found.hasJfif) {
    found.hasJfif = true;
    pieces.addBytes(segmentOf(APP0, data.subarray(0, JFIF_BYTES), Buffer.alloc(2)));
  } else if (marker === APP1 && startsWith(data, EXIF) && found.exif === null) {
    found.exif = orientationOf(data.subarray(EXIF.length));
    if (found.exif !== UPRIGHT) {
      pieces.addBytes(segmentOf(APP1, Buffer.from(EXIF, "latin1"), orientationOnly(found.exif)));
    }
  } else if (marker === APP2 && startsWith(data, ICC)) {
    pieces.addRange(from, from + 2 + segment.length);
  } else if (marker === APP14 && startsWith(data, ADOBE) && data.length >= ADOBE_BYTES) {
    pieces.addBytes(segmentOf(APP14, data.subarray(0, ADOBE_BYTES)));
  }
}

const startsWith = (data: Buffer, identifier: string) => data.toString("latin1", 0, identifier.length) === identifier;

/** Returns a copy of the data as a segment. */
function segmentOf(marker: number, ...data: Buffer[]): Buffer {
  const length = data.reduce((sum, { length }) => sum + length, 2);
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 0xff]), ...data]);
}
