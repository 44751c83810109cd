import { pipeline, type Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { OutboundRefusal } from "./outbound-refusal.ts";

/** `Accept-Encoding` of requests whose answers {@link boundedBody} decodes. */
export const ACCEPTED_ENCODINGS = "gzip, br";

const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Decodes a body by its `Content-Encoding`. Bytes are counted while they flow, as they arrive and as they are decoded:
 * a bomb ends at the limit, and so does an endless body that decodes to nothing.
 * @throws OutboundRefusal `too-large`; `wrong-type` for another encoding, or for several
 */
export function boundedBody(body: Readable, encoding: string, maxBytes: number): Readable | AsyncIterable<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (name === "" || name === "identity") return bounded(body, maxBytes);
  const decoder = decoders[name];
  if (!decoder) throw new OutboundRefusal("wrong-type");
  // The reader of the last stage receives all errors.
  const decoded = pipeline(
    body,
    (source) => bounded(source, maxBytes),
    decoder(),
    () => undefined,
  );
  return bounded(decoded, maxBytes);
}

async function* bounded(source: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size > maxBytes) throw new OutboundRefusal("too-large");
    yield piece;
  }
}
