import type { PictureType } from "#contract/files/files.ts";

/** Media types of the kinds of pictures that the server accepts. */
export const servedKinds: ReadonlyMap<string, PictureType> = new Map([
  ["JPEG", "image/jpeg"],
  ["PNG", "image/png"],
  ["WebP", "image/webp"],
  ["GIF", "image/gif"],
]);

/** Kinds that every browser decodes, so that they are converted before the upload. */
export const convertedKinds: ReadonlySet<string> = new Set(["AVIF", "BMP", "ICO"]);

/** Kinds that lose no pixel, as screenshots are stored. */
export const losslessKinds: ReadonlySet<string> = new Set(["PNG", "BMP", "ICO", "TIFF"]);

/** First characters of a file, in windows-1252. Formats of cameras that are TIFF files are told apart by their names. */
const SIGNATURES: readonly [start: RegExp | string, kind: string][] = [
  [/^\xFF\xD8\xFF/, "JPEG"],
  [/^.PNG/s, "PNG"],
  [/^RIFF.{4}WEBP/s, "WebP"],
  [/^GIF8/, "GIF"],
  [/^BM.{4}\0{4}/s, "BMP"],
  ["\0\0\u0001\0", "ICO"],
  [/^(?:II[*+]\0|MM\0[*+])/, "TIFF"],
  [/^(?:\xFF\n|\0{3}\fJXL )/, "JPEG XL"],
  [/^(?:\xFFO\xFFQ|\0{3}\fjP {2})/, "JPEG 2000"],
  [/^8BPS/, "PSD"],
  [/^FUJIFILMCCD-RAW/, "RAF"],
  [/^(?:IIR[OS]|MMOR)/, "ORF"],
  [/^IIU\0/, "RW2"],
];

/** Brands of HEIF files (ISO/IEC 23008-12, annex B and 10.2; AV1 Image File Format, 6.2), the first that is found decides. */
const BRANDS: readonly [pattern: RegExp, kind: string][] = [
  [/avi[fs]/, "AVIF"],
  [/crx /, "CR3"],
  [/hei[cxms]|hev[cxms]|mif1|msf1/, "HEIC"],
];
/** The box `ftyp`: its size, and from the eighth byte on its brand, version and compatible brands. */
const FILE_TYPE = /^.{4}ftyp/s;
/** More brands than a picture has. */
const BRANDS_END = 128;

/** Returns the kind of a picture by its first bytes; null if it is none that is recognised. @param head in windows-1252 */
export function pictureKindOf(head: string): string | null {
  const known = SIGNATURES.find(([start]) => (typeof start === "string" ? head.startsWith(start) : start.test(head)));
  if (known) return known[1];
  if (!FILE_TYPE.test(head)) return null;
  const brands = head.slice(8, Math.min(head.charCodeAt(3), BRANDS_END));
  return BRANDS.find(([pattern]) => pattern.test(brands))?.[1] ?? null;
}

/** Endings of photos as cameras store them without development, in files that are TIFF. */
const CAMERA_NAME = /\.(?:3fr|arw|cr2|dcr|dng|erf|kdc|mef|mos|nef|nrw|pef|rwl|sr2|srf|srw)$/i;

/**
 * Returns the kind of a picture as people read it. @param found by the bytes; null: the name or the media type decides
 */
export function shownPictureKind(found: string | null, { name, type }: { name: string; type: string }): string {
  if (found !== null && !(found === "TIFF" && CAMERA_NAME.test(name))) return found;
  const [, ending] = /\.([a-z0-9]{1,5})$/i.exec(name) ?? [];
  return (ending ?? type.replace(/^image\/(?:x-|vnd\.)?/, "")).toUpperCase();
}
