import { runLimited } from "../../concurrency/run-limited.ts";

/**
 * A piece of a document, in order: HTML; a picture, which the HTML names by its address; at the end the properties of
 * the document.
 */
export type DocxPiece = { html: string } | { picture: Uint8Array; address: string } | { title: string; author: string };

/** `bytes`: null if the HTML cannot be converted. */
export type DocxAnswer = { bytes: Uint8Array | null };

/** Converts one document that the server sends, when it has all of it. */
await runLimited<DocxPiece, DocxAnswer>(import.meta.url, async (answer) => {
  const { writeDocx } = await import("./write-docx.ts");
  const html: string[] = [];
  const pictures = new Map<string, Uint8Array>();
  return async (piece) => {
    if ("html" in piece) html.push(piece.html);
    else if ("picture" in piece) pictures.set(piece.address, piece.picture);
    else answer({ bytes: await writeDocx({ ...piece, html: html.join(""), pictures }).catch(() => null) });
  };
});
