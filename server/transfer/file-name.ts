import { normalizeText } from "#contract/text/normalize-text.ts";

const MAX_CHARS = 80;
/** Which file systems refuse, or which could lead somewhere. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"/\\|?*]+/gu;
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name for a file, from a chat's title. */
export function fileNameOf(title: string, extension: string): string {
  const plain = [...title.replaceAll(REFUSED, " ").replaceAll(/\s+/g, " ").trim()].slice(0, MAX_CHARS).join("");
  const name = plain.replace(/^[\s.]+|[\s.]+$/g, "");
  return `${name === "" || DEVICES.test(name) ? "chat" : name}.${extension}`;
}

/** As RFC 6266 has it: in ASCII for old readers, and as it is. */
export function attachment(fileName: string): string {
  const [, stem = "", extension = ""] = /^(.*)\.(\w+)$/s.exec(fileName) ?? [];
  const ascii = normalizeText(stem, "NFKD")
    .replaceAll(/[^\x20-\x7e]/g, "")
    .replaceAll(/["\\%]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*!]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii === "" ? "chat" : ascii}.${extension}"; filename*=UTF-8''${encoded}`;
}
