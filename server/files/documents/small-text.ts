import { setImmediate } from "node:timers/promises";
import { wellFormed } from "#contract/text/well-formed.ts";
import type { ByteSource } from "../byte-source.ts";
import { BrokenDocument, type DocumentText } from "./document-text.ts";
import { readPlainText } from "./plain-text.ts";

/**
 * Size of the largest text that is decoded in the process of the server, in bytes. Decoding takes linear time: 64 kB of
 * any bytes were measured at 4 ms, 1 MB at 60 ms, which is more than a request may hold the event loop.
 */
const SMALL_TEXT_BYTES = 64 * 1024;

/** Whether a document is decoded here. HTML and CSV count too: no text is parsed. */
export const isSmallText = ({ size }: ByteSource, type: string): boolean =>
  type.startsWith("text/") && size <= SMALL_TEXT_BYTES;

/** Decodes a text for which {@link isSmallText} is true, in an iteration of the event loop of its own. */
export async function readSmallText(source: ByteSource): Promise<DocumentText> {
  const bytes = await source.read(0, source.size);
  if (bytes.length < source.size) throw new Error("A document is shorter than its size");
  // Files in memory are read without waits: a hundred of one request would hold the event loop together.
  await setImmediate();
  try {
    return { text: wellFormed(readPlainText(bytes)) };
  } catch (error) {
    if (error instanceof BrokenDocument) return { text: "", remark: "broken" };
    throw error;
  }
}
