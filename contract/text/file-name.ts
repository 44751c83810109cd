import { FILE_NAME_MAX_BYTES } from "../limits.ts";
import { wellFormed } from "./well-formed.ts";

const FALLBACK = "file";
/** Names that stand for folders, or cannot be seen. */
const NOTHING = /^[.\s]*$/;
/** Longest extension (UTF-16 units) that is preserved when a name is shortened. */
const EXTENSION_MAX = 20;
/** Characters of a name that are segmented when it is shortened: no more can remain. */
const SEGMENTED_MAX = 4 * FILE_NAME_MAX_BYTES;

/**
 * Returns a name of a file that is harmless on the screen, in headers, in archives and in prompts: the last part of a
 * path, without control and format characters (bidirectional overrides are among them), of at most 255 bytes in UTF-8.
 */
export function cleanFileName(given: string): string {
  const base = wellFormed(given).split(/[/\\]/).at(-1) ?? "";
  // Cc: control, Cf: format, Zl and Zp: line and paragraph separators, Co: private use.
  const visible = base.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]+/gu, (run) => (/\s/.test(run) ? " " : "")).trim();
  return NOTHING.test(visible) ? FALLBACK : shorten(visible);
}

/** Cuts a name before its extension. */
function shorten(name: string): string {
  if (bytesOf(name) <= FILE_NAME_MAX_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && name.length - dot <= EXTENSION_MAX ? name.slice(dot) : "";
  const room = FILE_NAME_MAX_BYTES - bytesOf(extension);
  let stem = "";
  let bytes = 0;
  const stemOfName = name.slice(0, Math.min(name.length - extension.length, SEGMENTED_MAX));
  for (const { segment } of new Intl.Segmenter().segment(stemOfName)) {
    bytes += bytesOf(segment);
    if (bytes > room) break;
    stem += segment;
  }
  return `${NOTHING.test(stem) ? FALLBACK : stem.trimEnd()}${extension}`;
}

/** Length of a well-formed text in UTF-8. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += 1 + Number(code > 0x7f) + Number(code > 0x7ff) + Number(code > 0xffff);
  }
  return bytes;
}
