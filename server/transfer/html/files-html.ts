import { MEGABYTE } from "#contract/limits.ts";
import type { ReadableFile } from "../../files/readable-file.ts";
import { MissingObject } from "../../files/stores/file-store.ts";
import { escapeHtml } from "../../text/escape-html.ts";
import type { ShownFile } from "../shown-branch.ts";

/** Largest picture that is embedded: the browser makes pictures smaller before it uploads them. In bytes. */
const MAX_PICTURE_BYTES = 2 * MEGABYTE;

type Picture = { type: string; bytes: Uint8Array };

/** Bytes of pictures that one file may still embed. `embed` returns the address of a picture. */
export type PictureRoom = { bytes: number; embed(picture: Picture): string };

const dataUrl = ({ type, bytes }: Picture): string => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;

/** Returns the room of a new file. Later pictures are only named. */
export const newPictureRoom = (embed: PictureRoom["embed"] = dataUrl): PictureRoom => ({
  bytes: 20 * MEGABYTE,
  embed,
});

/** Yields the files of a message as HTML: small pictures as they are, other files by name, kind and size. */
export async function* filesHtml(files: readonly ShownFile[], room: PictureRoom): AsyncGenerator<string> {
  if (files.length === 0) return;
  yield '<ul class="files">\n';
  for (const { name, stored } of files) {
    const source = stored && (await pictureSource(stored, room));
    const picture = source ? `<img src="${source}" alt="${escapeHtml(name)}"${sizeAttributes(stored)}>\n` : "";
    yield `<li>${picture}<bdi>${escapeHtml(name)}</bdi> <small class="details">${factsOf(stored)}</small></li>\n`;
  }
  yield "</ul>\n";
}

/** Returns the address of an embedded picture; undefined if the file is none, is too large, or was removed meanwhile. */
async function pictureSource({ kind, type, size, open }: ReadableFile, room: PictureRoom): Promise<string | undefined> {
  if (kind !== "picture" || size > MAX_PICTURE_BYTES || size > room.bytes) return undefined;
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of open()) pieces.push(piece);
  } catch (error) {
    if (error instanceof MissingObject) return undefined;
    throw error;
  }
  room.bytes -= size;
  return room.embed({ type, bytes: Buffer.concat(pieces) });
}

const sizeAttributes = ({ width, height }: ReadableFile): string =>
  width === undefined || height === undefined ? "" : ` width="${width}" height="${height}"`;

const kindNames = { picture: "Picture", pdf: "PDF", text: "File" };

function factsOf(stored: ReadableFile | undefined): string {
  return stored ? `${kindNames[stored.kind]} · ${sizeWords(stored.size)}` : "no longer here";
}

/** Formats a size such as `12.3 kB`. */
function sizeWords(bytes: number): string {
  const [value, unit] = bytes < MEGABYTE ? [Math.max(bytes / 1000, 0.1), "kilobyte"] : [bytes / MEGABYTE, "megabyte"];
  return new Intl.NumberFormat("en", { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
}
