/** Bytes in which a page may name its encoding (HTML standard, "prescan a byte stream"). */
const PRESCAN = 1024;
const META = /<meta[^>]{0,500}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i;

const marks: [string, readonly number[]][] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Decodes a page: by its byte order mark, else by the label of its header, else by its `meta`, else as UTF-8, else as
 * Windows-1252, in which every byte has a meaning.
 * @param label `charset` of the header
 */
export function decodePage(bytes: Uint8Array, label: string | undefined): string {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const decoder = decoderOf(marked) ?? decoderOf(label) ?? decoderOf(namedIn(bytes));
  if (decoder) return decoder.decode(bytes);
  try {
    // The end may be cut within a character.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function namedIn(bytes: Uint8Array): string | undefined {
  const named = META.exec(Buffer.from(bytes.subarray(0, PRESCAN)).toString("latin1"))?.[1];
  // A page whose label can be read so is not in UTF-16.
  return named !== undefined && /^utf-?16/i.test(named) ? "utf-8" : named;
}

function decoderOf(label: string | undefined) {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}
