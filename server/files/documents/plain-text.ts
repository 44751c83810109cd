import { BrokenDocument } from "./document-text.ts";

const marks = [
  { mark: [0xef, 0xbb, 0xbf], encoding: "utf-8" },
  { mark: [0xff, 0xfe], encoding: "utf-16le" },
  { mark: [0xfe, 0xff], encoding: "utf-16be" },
] as const;

/** Bytes at the start that decide about UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 64 * 1024;
/** Least share of NULs in the high bytes of UTF-16: text of Western scripts and its white space have them. */
const MIN_NUL_SHARE = 0.3;
/** Most NULs in the low bytes, as a share of those in the high bytes: some characters end with one, such as U+0100. */
const MAX_LOW_SHARE = 0.2;
/** A text of UTF-8 may have one damaged sequence for this many sound ones, such as the first and last of a log. */
const SOUND_PER_DAMAGED = 10;

/**
 * Decodes a text: by its byte order mark, else UTF-16 by the position of its NULs, else UTF-8, else Windows-1252, in
 * which every byte has a meaning.
 * @throws BrokenDocument if it has NULs, which no text has
 */
export function readPlainText(bytes: Uint8Array): string {
  const marked = marks.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  const encoding = marked?.encoding ?? utf16Of(bytes);
  const text = encoding ? new TextDecoder(encoding).decode(bytes) : decodeBytes(bytes);
  if (text.includes("\0")) throw new BrokenDocument("A text has no NUL");
  return text;
}

function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes.length === 0 || bytes.length % 2 !== 0) return undefined;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const nuls = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  const least = (sample.length / 2) * MIN_NUL_SHARE;
  if (odd >= least && even <= odd * MAX_LOW_SHARE) return "utf-16le";
  return even >= least && odd <= even * MAX_LOW_SHARE ? "utf-16be" : undefined;
}

function decodeBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder().decode(bytes);
    const damaged = text.match(/\uFFFD/g)?.length ?? 0;
    const sound = text.match(/[^\0-\x7F\uFFFD]/gu)?.length ?? 0;
    return sound >= damaged * SOUND_PER_DAMAGED ? text : new TextDecoder("windows-1252").decode(bytes);
  }
}
