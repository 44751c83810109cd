/** Small PDFs, built object by object. */

import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** A PDF before it is a file: object 1 is the catalogue, 2 the page tree, 3 the font `F1`. */
export type PdfObjects = (string | Uint8Array)[];

const FONT = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
const bytesOf = (text: string) => Buffer.from(text, "latin1");

/** Returns a stream, deflated. `entries`: of its dictionary. */
export function pdfStream(content: string | Uint8Array, entries = ""): Uint8Array {
  const deflated = deflateSync(typeof content === "string" ? bytesOf(content) : content, { level: 5 });
  const head = `<</Length ${deflated.length}/Filter/FlateDecode${entries}>>stream\n`;
  return Buffer.concat([bytesOf(head), deflated, bytesOf("\nendstream")]);
}

/** Returns the content of a page with a line for each text, in font `F1`. */
export const linesOf = (...lines: readonly string[]): string =>
  lines.map((line, at) => `BT /F1 12 Tf 72 ${720 - 14 * at} Td (${line}) Tj ET`).join("\n");

/** Returns the objects of a PDF with a page for each content. */
export function pdfObjects(contents: readonly (string | Uint8Array)[], font: string | Uint8Array = FONT): PdfObjects {
  const kids = contents.map((_, at) => `${4 + 2 * at} 0 R`).join(" ");
  const objects: PdfObjects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${contents.length}/Kids[${kids}]>>`,
    font,
  ];
  for (const [at, content] of contents.entries()) {
    const resources = "/Resources<</Font<</F1 3 0 R>>>>/MediaBox[0 0 612 792]";
    objects.push(`<</Type/Page/Parent 2 0 R${resources}/Contents ${5 + 2 * at} 0 R>>`, pdfStream(content));
  }
  return objects;
}

/** Returns the file of objects, which are numbered from 1. `trailer`: entries of the trailer. */
export function pdfFileOf(objects: PdfObjects, trailer = ""): Buffer {
  const pieces: Uint8Array[] = [bytesOf("%PDF-1.7\n")];
  let length = 9;
  const offsets: number[] = [];
  const add = (piece: string | Uint8Array) => {
    const bytes = typeof piece === "string" ? bytesOf(piece) : piece;
    pieces.push(bytes);
    length += bytes.length;
  };
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    add(`${at + 1} 0 obj\n`);
    add(object);
    add("\nendobj\n");
  }
  const start = length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`);
  add(`trailer<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF`);
  return Buffer.concat(pieces);
}

/** Returns a PDF with a page for each text; an empty text is an empty page. */
export const pdfOf = (...texts: readonly string[]): Buffer =>
  pdfFileOf(pdfObjects(texts.map((text) => (text === "" ? "" : linesOf(text)))));

/**
 * Returns a PDF of one page with the content and annotations, each a dictionary without its brackets. Fields of forms
 * among them belong to the form of the document.
 */
export function annotatedPdf(content: string, annotations: readonly string[]): Buffer {
  const objects = pdfObjects([content]);
  const references = annotations.map((_, at) => `${objects.length + 1 + at} 0 R`).join(" ");
  objects[0] = `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${references}]/DR<</Font<</F1 3 0 R>>>>>>>>`;
  objects[3] = String(objects[3]).replace(/>>$/, `/Annots[${references}]>>`);
  // Visible, unless an annotation has flags of its own.
  const flags = (entries: string) => (entries.includes("/F ") ? "" : "/F 4");
  const dictionaries = annotations.map((entries) => `<</Type/Annot/DA(/F1 12 Tf 0 g)${flags(entries)}${entries}>>`);
  return pdfFileOf([...objects, ...dictionaries]);
}

/**
 * Returns a PDF of one line in a font that is not embedded. `encoding`: name of a predefined character map; `ordering`:
 * of its glyphs; `codes`: of the text, in hexadecimal digits.
 */
export function eastAsianPdf(encoding: string, ordering: string, codes: string): Buffer {
  const collection = `/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>`;
  const descriptor = "/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4>>";
  const descendant = `<</Type/Font/Subtype/CIDFontType0/BaseFont/A${collection}${descriptor}>>`;
  const font = `<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/${encoding}/DescendantFonts[${descendant}]>>`;
  return pdfFileOf(pdfObjects([`BT /F1 12 Tf 72 720 Td <${codes}> Tj ET`], font));
}

/** A black square of 8 x 8 pixels in CCITT Group 4: a run of 8 in the first row, which the others repeat. */
const BLACK_SQUARE = `001${"00110101"}${"000101"}${"11".repeat(7)}${"000000000001".repeat(2)}`;

const bitsOf = (bits: string) =>
  Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2)));

/** Returns a PDF of one page in landscape that is a fax: a black square, without text. */
export function scannedPdf(): Buffer {
  const fax = bitsOf(BLACK_SQUARE);
  const decoding = "/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 8/Rows 8>>";
  const image = `<</Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceGray/BitsPerComponent 1${decoding}/Length ${fax.length}>>stream\n`;
  return pdfFileOf([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    "<</Type/Page/Parent 2 0 R/Resources<</XObject<</I 5 0 R>>>>/MediaBox[0 0 792 612]/Contents 4 0 R>>",
    pdfStream("q 300 0 0 300 246 156 cm /I Do Q"),
    Buffer.concat([bytesOf(image), fax, bytesOf("\nendstream")]),
  ]);
}

/** RFC 6229 names the cipher; `node:crypto` of OpenSSL 3 has it no more. */
function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  const at = (index: number) => state[index % 256] ?? 0;
  const swap = (one: number, other: number) => {
    [state[one], state[other]] = [at(other), at(one)];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) % 256;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  const cipher = Uint8Array.from(data, (byte) => {
    i = (i + 1) % 256;
    j = (j + at(i)) % 256;
    swap(i, j);
    return byte ^ at(at(i) + at(j));
  });
  return Buffer.from(cipher);
}

/** Padding of passwords: algorithm 2 of ISO 32000-1, 7.6.3.3. */
const PADDING = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
const KEY_BYTES = 5;
const PERMISSIONS = -4;

const md5 = (...pieces: Uint8Array[]) => createHash("md5").update(Buffer.concat(pieces)).digest();
const padded = (password: string) => Buffer.concat([bytesOf(password), PADDING]).subarray(0, 32);
const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString("hex")}>`;

/**
 * Returns a PDF with one page that is encrypted (RC4 of 40 bits, security handler of revision 2). A reader needs the
 * user's password, unless it is empty.
 */
export function encryptedPdfOf(text: string, password: string): Buffer {
  const id = bytesOf("0123456789abcdef");
  const owner = rc4(md5(padded("owner")).subarray(0, KEY_BYTES), padded(password));
  const permissions = Buffer.alloc(4);
  permissions.writeInt32LE(PERMISSIONS);
  const key = md5(padded(password), owner, permissions, id).subarray(0, KEY_BYTES);
  const keyOf = (number: number) => md5(key, Buffer.from([number, 0, 0, 0, 0])).subarray(0, KEY_BYTES + 5);
  const content = rc4(keyOf(5), bytesOf(linesOf(text)));
  const objects = pdfObjects([""]);
  objects[4] = Buffer.concat([bytesOf(`<</Length ${content.length}>>stream\n`), content, bytesOf("\nendstream")]);
  const user = rc4(key, PADDING);
  const encrypt = `<</Filter/Standard/V 1/R 2/O ${hex(owner)}/U ${hex(user)}/P ${PERMISSIONS}>>`;
  return pdfFileOf(objects, `/Encrypt ${encrypt}/ID[${hex(id)}${hex(id)}]`);
}
