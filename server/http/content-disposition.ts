import type { FastifyReply } from "fastify";
import { normalizeText } from "#contract/text/normalize-text.ts";

type Download = { name: string; type: string; fallback: string };

/**
 * Sets the headers by which a client saves the answer as a file.
 * @param download `fallback`: ASCII name before the extension if nothing is left of `name`
 */
export function asDownload(reply: FastifyReply, { name, type, fallback }: Download): FastifyReply {
  return reply
    .header("content-type", type)
    .header("content-disposition", attachment(name, fallback))
    .header("x-content-type-options", "nosniff");
}

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
