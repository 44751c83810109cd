import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { type AttachedFile, fileKindOf } from "#contract/files/files.ts";
import { asDownload } from "../http/content-disposition.ts";

/** Policy of the bytes, wherever they are opened: nothing runs, nothing is loaded. */
const FILE_POLICY = "sandbox; default-src 'none'";

/**
 * Answers with the bytes of a file. Only pictures have their own type: a browser that is led to the address renders
 * nothing else.
 */
export function sendFileBytes(reply: FastifyReply, file: AttachedFile, bytes: AsyncIterable<Uint8Array>): FastifyReply {
  const isPicture = fileKindOf(file.type) === "picture";
  const type = isPicture ? file.type : "application/octet-stream";
  return (
    asDownload(reply, { name: file.name, type, fallback: "file" })
      .header("content-length", String(file.size))
      .header("content-security-policy", FILE_POLICY)
      // The answer to HEAD would read the bytes to its end, and discard them.
      .send(Readable.from(reply.request.method === "HEAD" ? [] : bytes, { objectMode: false }))
  );
}
