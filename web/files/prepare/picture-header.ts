/**
 * Facts of a picture's header: `isAnimated`; `hasMetadata`, which may turn the picture or show where it was taken;
 * `isHeic`, whatever the name of the file says.
 */
export type PictureHeader = { isAnimated: boolean; hasMetadata: boolean; isHeic: boolean };

/** Metadata and animation are announced in the first bytes of a file. */
const HEADER_BYTES = 64 * 1024;
/** Flags of the chunk VP8X (WebP container specification, "Extended File Format"), which is at a fixed position. */
const WEBP_FLAGS_AT = 20;
const WEBP_EXIF = 0x08;
const WEBP_XMP = 0x04;
const WEBP_ANIMATION = 0x02;
/** The box `ftyp` at the beginning of a HEIF file, with its brand (ISO/IEC 23008-12, annex B and 10.2). */
const HEIC = /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s;

/** Reads the header of a JPEG, PNG, WebP, GIF or HEIC by its bytes. A GIF counts as animated. */
export async function readPictureHeader(picture: Blob): Promise<PictureHeader> {
  const bytes = new Uint8Array(await picture.slice(0, HEADER_BYTES).arrayBuffer());
  // "latin1" is windows-1252: one character for each byte, the same one below 0x80.
  const text = new TextDecoder("latin1").decode(bytes);
  const isHeic = HEIC.test(text);
  if (text.startsWith("GIF8")) return { isAnimated: true, hasMetadata: false, isHeic };
  if (text.startsWith("RIFF") && text.startsWith("WEBPVP8X", 8)) {
    const flags = bytes[WEBP_FLAGS_AT] ?? 0;
    return { isAnimated: (flags & WEBP_ANIMATION) !== 0, hasMetadata: (flags & (WEBP_EXIF | WEBP_XMP)) !== 0, isHeic };
  }
  if (text.startsWith("PNG", 1))
    return { isAnimated: text.includes("acTL"), hasMetadata: text.includes("eXIf"), isHeic };
  return { isAnimated: false, hasMetadata: text.includes("Exif\0\0"), isHeic };
}
