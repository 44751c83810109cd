import { normalizeText } from "#contract/text/normalize-text.ts";

/** At most 240 bytes of UTF-8: common file systems allow 255, with the extension. */
const MAX_CHARS = 60;
/** Characters that file systems refuse, or that could form a path. */
const REFUSED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}<>:"/\\|?*]+/gu;
/** Device names of Windows, which remain reserved with any extension. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Returns a safe file name for a title. */
export function fileNameOf(title: string, extension: string): string {
  const plain = [...title.replaceAll(REFUSED, " ").replaceAll(/\s+/g, " ").trim()].slice(0, MAX_CHARS).join("");
  const name = plain.replace(/^[\s.]+|[\s.]+$/g, "");
  return `${name === "" || DEVICES.test(name) ? "chat" : name}.${extension}`;
}

/** Returns a `Content-Disposition` header (RFC 6266): the name in ASCII for old clients, and in UTF-8. */
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
