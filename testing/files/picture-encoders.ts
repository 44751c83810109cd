import { crc32, deflateSync } from "node:zlib";

/** Returns a segment of a JPEG file: marker, length, data. @param marker the code after FF */
export function jpegSegment(marker: number, ...data: (Buffer | string)[]): Buffer {
  const content = joined(data);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** Returns a chunk of a PNG file, with its check value. */
export function pngChunk(type: string, ...data: (Buffer | string)[]): Buffer {
  const content = joined([type, ...data]);
  return Buffer.concat([uint32(content.length - 4), content, uint32(crc32(content))]);
}

/** Returns the header chunk of a PNG file with 8 bits for each of red, green and blue. Dimensions in pixels. */
export function pngHeader(width: number, height: number): Buffer {
  return pngChunk("IHDR", uint32(width), uint32(height), Buffer.from([8, 2, 0, 0, 0]));
}

export const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
export const PNG_END = pngChunk("IEND");

/** Returns a PNG file. @param lines each with a filter byte and 3 bytes for each pixel */
export function pngOf(width: number, height: number, lines: Buffer): Buffer {
  return Buffer.concat([PNG_SIGNATURE, pngHeader(width, height), pngChunk("IDAT", deflateSync(lines)), PNG_END]);
}

/** Returns a PNG file with rows of changing brightness. Small, and the same as JPEG is larger. */
export function stripedPng(width: number, height: number): Buffer {
  const row = (at: number) => Buffer.concat([Buffer.of(0), Buffer.alloc(3 * width, at % 256)]);
  return pngOf(width, height, Buffer.concat(Array.from({ length: height }, (_, at) => row(at))));
}

/** Returns the header chunk of a frame of an animated PNG file, at the upper left corner, shown for a tenth of a second. */
export function pngFrame(sequence: number, width: number, height: number): Buffer {
  const position = Buffer.alloc(8);
  return pngChunk("fcTL", uint32(sequence), uint32(width), uint32(height), position, Buffer.from([0, 1, 0, 10, 0, 0]));
}

/** Returns a chunk of a RIFF file, with its padding byte. */
export function riffChunk(id: string, ...data: (Buffer | string)[]): Buffer {
  const content = joined(data);
  const head = Buffer.from(`${id}\0\0\0\0`, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Returns a WebP file of chunks. */
export const webpOf = (...chunks: Buffer[]): Buffer => riffChunk("RIFF", "WEBP", ...chunks);

/** Returns the VP8X chunk of a WebP file. @param flags as in RFC 9649, section 2.7 */
export function webpHeader(flags: number, width: number, height: number): Buffer {
  return riffChunk("VP8X", Buffer.from([flags, 0, 0, 0]), uint24(width - 1), uint24(height - 1));
}

/** Returns a frame of an animated WebP file, at the upper left corner. */
export function webpFrame(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const duration = Buffer.from([100, 0, 0, 0]);
  return riffChunk("ANMF", Buffer.alloc(6), uint24(width - 1), uint24(height - 1), duration, ...chunks);
}

/** Returns the data of the chunks with an identifier in a WebP file. */
export function webpChunks(file: Buffer, id: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 12; at < file.length; ) {
    const size = file.readUInt32LE(at + 4);
    if (file.toString("latin1", at, at + 4) === id) found.push(file.subarray(at + 8, at + 8 + size));
    at += 8 + size + (size % 2);
  }
  return found;
}

/** Returns the start of a GIF file with a colour table of black and white. */
export function gifHeader(width: number, height: number): Buffer {
  const [screen, colours] = [Buffer.from([0x80, 0, 0]), Buffer.from([0, 0, 0, 255, 255, 255])];
  return joined(["GIF89a", uint16(width), uint16(height), screen, colours]);
}

/** Returns a white image of one pixel for a GIF file, with a colour table of its own. */
export function gifPixel(x = 0, y = 0): Buffer {
  const colours = Buffer.from([0, 0, 0, 255, 255, 255]);
  const compressed = Buffer.from([2, 2, 0x4c, 1, 0]);
  return joined([",", uint16(x), uint16(y), uint16(1), uint16(1), Buffer.from([0x80]), colours, compressed]);
}

/** Returns an extension of a GIF file. @param blocks sub-blocks, each of 255 bytes at most */
export function gifExtension(label: number, ...blocks: (Buffer | string)[]): Buffer {
  const subBlocks = blocks.map((block) => Buffer.concat([Buffer.from([block.length]), joined([block])]));
  return Buffer.concat([Buffer.from([0x21, label]), ...subBlocks, Buffer.from([0])]);
}

export const GIF_TRAILER = Buffer.from(";");

/** Strings in Latin-1. */
function joined(data: readonly (Buffer | string)[]): Buffer {
  return Buffer.concat(data.map((one) => (typeof one === "string" ? Buffer.from(one, "latin1") : one)));
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}

function uint16(value: number): Buffer {
  return Buffer.from([value & 0xff, value >> 8]);
}
