import { runLimited } from "../../concurrency/run-limited.ts";
import type { DocumentText } from "./document-text.ts";

/** A piece of a document, in order. `type`: media type; `size`: of the whole document, in bytes. */
export type DocumentPiece = { type: string; size: number; bytes: Uint8Array };

/** `isWorn`: the process has so much memory that it should not read another document. */
export type DocumentAnswer = { document: DocumentText; isWorn: boolean };

const MEGABYTE = 1024 * 1024;
/** Memory after a document, as a share of the limit, above which a process is worn. */
const WORN_SHARE = 0.5;

/** Reads documents that the server sends, one after the other, and answers with the text of each. */
await runLimited<DocumentPiece, DocumentAnswer>(import.meta.url, async (answer, { maxMemoryMb }) => {
  const { extractText } = await import("./extract-text.ts");
  let whole: Uint8Array | undefined;
  let received = 0;
  return async ({ type, size, bytes }) => {
    whole ??= new Uint8Array(size);
    whole.set(bytes, received);
    received += bytes.length;
    if (received < size) return;
    const bytesOfDocument = whole;
    [whole, received] = [undefined, 0];
    const document = await extractText(bytesOfDocument, type);
    const isWorn = process.memoryUsage.rss() > maxMemoryMb * MEGABYTE * WORN_SHARE;
    answer({ document, isWorn });
  };
});
