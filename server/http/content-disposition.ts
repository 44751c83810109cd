import { normalizeText } from "#contract/text/normalize-text.ts";

/**
 * Returns a `Content-Disposition` header (RFC 6266) of a download: the name in ASCII for old clients, and in UTF-8.
 * @param fallback ASCII name before the extension if nothing is left of it
 */
export function attachment(fileName: string, fallback: string): string {
  const [, stem = fileName, extension = ""] = /^(.*)(\.\w+)$/s.exec(fileName) ?? [];
  const ascii = normalizeText(stem, "NFKD")
    .replaceAll(/[^\x20-\x7e]/g, "")
    .replaceAll(/["\\%]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*!]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii === "" ? fallback : ascii}${extension}"; filename*=UTF-8''${encoded}`;
}
