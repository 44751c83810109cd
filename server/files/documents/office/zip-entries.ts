import { unzipSync } from "fflate";
import { BrokenDocument, TooComplex } from "../document-text.ts";

/** Inflated files of an archive by name. */
export type ZipEntries = ReadonlyMap<string, Uint8Array>;

const MAX_ENTRIES = 5000;
/** In bytes, of all inflated entries. */
const MAX_INFLATED = 100_000_000;
/** Largest ratio of inflated to compressed bytes of an entry that is larger than {@link SMALL}. */
const MAX_RATIO = 200;
/** In bytes: small entries of a few repeated elements compress well. */
const SMALL = 1_000_000;

/**
 * Inflates the entries of an archive that a parser needs, under a budget: 5,000 entries, 100 MB together, a ratio of
 * 200. The sizes are those of the archive's directory, and fflate inflates no entry beyond its size there. Archives
 * in archives are not opened. Names are only compared: no file is written.
 * @param isWanted selects entries by name; others, such as pictures, are not inflated
 * @throws TooComplex beyond the budget; BrokenDocument if the archive is damaged
 */
export function readZip(archive: Uint8Array, isWanted: (name: string) => boolean): ZipEntries {
  let count = 0;
  let inflated = 0;
  const filter = ({ name, size, originalSize }: { name: string; size: number; originalSize: number }) => {
    count++;
    if (count > MAX_ENTRIES) throw new TooComplex("Too many entries");
    if (name.endsWith("/") || !isWanted(name)) return false;
    inflated += originalSize;
    if (inflated > MAX_INFLATED) throw new TooComplex("Too many bytes");
    if (originalSize > SMALL && originalSize > size * MAX_RATIO) throw new TooComplex("Too high a ratio");
    return true;
  };
  try {
    return new Map(Object.entries(unzipSync(archive, { filter })));
  } catch (cause) {
    throw cause instanceof TooComplex ? cause : new BrokenDocument("Not a sound archive", { cause });
  }
}

/** Decodes an XML file: UTF-8, or UTF-16 by its byte order mark. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
