import { pictureKindOf } from "./picture-kinds.ts";

/**
 * Facts of a picture's header. `kind`: name of its format by its bytes, whatever the name of the file says; null if no
 * picture is recognised. `isAnimated`; `hasMetadata`, which may turn the picture or show where it was taken. `isText`:
 * the header has no NUL, so that the file may be a text.
 */
export type PictureHeader = {
  kind: string | null;
  isAnimated: boolean;
  hasMetadata: boolean;
  isText: boolean;
};

/** Metadata and animation are announced in the first bytes of a file. */
const HEADER_BYTES = 64 * 1024;
/** Flags of the chunk VP8X (WebP container specification, "Extended File Format"), which is at a fixed position. */
const WEBP_FLAGS_AT = 20;
const WEBP_EXIF = 0x08;
const WEBP_XMP = 0x04;
const WEBP_ANIMATION = 0x02;

/** Reads the header of a picture by its bytes. A GIF counts as animated. */
export async function readPictureHeader(picture: Blob): Promise<PictureHeader> {
  const bytes = new Uint8Array(await picture.slice(0, HEADER_BYTES).arrayBuffer());
  // "latin1" is windows-1252: one character for each byte, the same one below 0x80.
  const text = new TextDecoder("latin1").decode(bytes);
  const facts = { kind: pictureKindOf(text), isText: !text.includes("\0") };
  if (facts.kind === "GIF") return { ...facts, isAnimated: true, hasMetadata: false };
  if (facts.kind === "WebP") {
    const flags = text.startsWith("VP8X", 12) ? (bytes[WEBP_FLAGS_AT] ?? 0) : 0;
    return {
      ...facts,
      isAnimated: (flags & WEBP_ANIMATION) !== 0,
      hasMetadata: (flags & (WEBP_EXIF | WEBP_XMP)) !== 0,
    };
  }
  if (facts.kind === "PNG") return { ...facts, isAnimated: text.includes("acTL"), hasMetadata: text.includes("eXIf") };
  return { ...facts, isAnimated: false, hasMetadata: text.includes("Exif\0\0") };
}
