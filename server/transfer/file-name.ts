import { EXPORT_FILES_FOLDER } from "#contract/transfer/transfer.ts";

/** At most 240 bytes of UTF-8: common file systems allow 255, with the extension. */
const MAX_CHARS = 60;
/** At most 200 bytes of UTF-8: an id and an extension stand around it. */
const MAX_ENTRY_CHARS = 50;
/** Characters that file systems refuse, or that could form a path. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"/\\|?*]+/gu;
/** Device names of Windows, which remain reserved with any extension. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns a safe file name for a title. */
export function fileNameOf(title: string, extension: string): string {
  const name = safeStem(title, MAX_CHARS);
  return `${name === "" || DEVICES.test(name) ? "chat" : name}.${extension}`;
}

/**
 * Returns the name of a file in the zip of an export: unique by the id, readable, and safe on every system, whatever its
 * name is. The name itself is in the JSON.
 */
export function entryNameOf({ id, name }: { id: string; name: string }): string {
  const [, stem = name, extension = ""] = /^(.+)(\.[a-z0-9]{1,10})$/is.exec(name) ?? [];
  return `${EXPORT_FILES_FOLDER}${id}-${safeStem(stem, MAX_ENTRY_CHARS) || "file"}${extension}`;
}

function safeStem(text: string, maxChars: number): string {
  const plain = [...text.replaceAll(REFUSED, " ").replaceAll(/\s+/g, " ").trim()].slice(0, maxChars).join("");
  return plain.replace(/^[\s.]+|[\s.]+$/g, "");
}
