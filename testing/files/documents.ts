/** Small office documents, built from the XML that a test needs. */

import { strToU8, unzipSync, type Zippable, zipSync } from "fflate";

/** Returns an archive of these files. */
export const zipOf = (files: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [name, typeof content === "string" ? strToU8(content) : content]),
    ) satisfies Zippable,
    // Fast: tests build files of 60 MB.
    { level: 1 },
  );

/** Returns an archive with further files, or others instead of its own. */
export const withFiles = (archive: Uint8Array, more: Record<string, string>): Uint8Array =>
  zipOf({ ...unzipSync(archive), ...more });

const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export type Target = { id: string; type: string; target: string };

/** Returns the XML of references of a file to others. */
export const relationships = (...targets: readonly Target[]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(({ id, type, target }) => `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;

/** Returns the XML of a run of text in a Word document. */
export const runOf = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;

/** Returns a Word document with this body. `more`: further files of its archive. */
export const docxOf = (body: string, more: Record<string, string | Uint8Array> = {}): Uint8Array =>
  zipOf({
    "_rels/.rels": relationships({ id: "rId1", type: "officeDocument", target: "word/document.xml" }),
    "word/document.xml": `<w:document><w:body>${body}</w:body></w:document>`,
    ...more,
  });

/** `shapes`: XML behind the paragraphs. */
export type Slide = { paragraphs: readonly string[]; shapes?: string; notes?: string; isHidden?: boolean };

const paragraphsOf = (texts: readonly string[], shapes = "") =>
  texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("") + shapes;

/**
 * Returns a presentation of these slides. Their files are numbered in the reverse order, as after slides were moved:
 * only the relationships say which is the first.
 */
export function pptxOf(...slides: readonly Slide[]): Uint8Array {
  const numberOf = (at: number) => slides.length - at;
  const files: Record<string, string> = {
    "_rels/.rels": relationships({ id: "rId1", type: "officeDocument", target: "ppt/presentation.xml" }),
    "ppt/presentation.xml": `<p:presentation><p:sldIdLst>${slides
      .map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 10}"/>`)
      .join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": relationships(
      ...slides.map((_, at) => ({ id: `rId${at + 10}`, type: "slide", target: `slides/slide${numberOf(at)}.xml` })),
    ),
  };
  for (const [at, { paragraphs, shapes, notes, isHidden }] of slides.entries()) {
    const name = `slide${numberOf(at)}.xml`;
    files[`ppt/slides/${name}`] = `<p:sld${isHidden ? ' show="0"' : ""}>${paragraphsOf(paragraphs, shapes)}</p:sld>`;
    if (notes === undefined) continue;
    const target = `../notesSlides/notes${at}.xml`;
    files[`ppt/slides/_rels/${name}.rels`] = relationships({ id: "rId1", type: "notesSlide", target });
    const number = `<a:p><a:fld id="{1}" type="slidenum"><a:t>99</a:t></a:fld></a:p>`;
    files[`ppt/notesSlides/notes${at}.xml`] = `<p:notes>${paragraphsOf([notes])}${number}</p:notes>`;
  }
  return zipOf(files);
}

/** Returns an OpenDocument text with this body. */
export const odtOf = (body: string, manifest = "<manifest:manifest/>"): Uint8Array =>
  openDocumentOf("text", `<office:text>${body}</office:text>`, { manifest });

/** Returns an OpenDocument file. `kind`: last word of its media type; `styles`: of the content. */
export const openDocumentOf = (kind: string, body: string, { manifest = "", styles = "" } = {}): Uint8Array =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
    "META-INF/manifest.xml": manifest,
  });

/** A cell: a date as its number of days in Excel. */
export type Cell = string | number | boolean | { days: number } | null;

const columnOf = (at: number) => String.fromCharCode(65 + at);

function cellXml(cell: Cell, name: string): string {
  if (cell === null) return "";
  if (typeof cell === "string") return `<c r="${name}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  if (typeof cell === "boolean") return `<c r="${name}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  return typeof cell === "number"
    ? `<c r="${name}"><v>${cell}</v></c>`
    : `<c r="${name}" s="1"><v>${cell.days}</v></c>`;
}

const rowXml = (cells: readonly Cell[], at: number) =>
  `<row r="${at + 1}">${cells.map((cell, column) => cellXml(cell, `${columnOf(column)}${at + 1}`)).join("")}</row>`;

/** Returns a workbook of these sheets: rows of at most 26 cells, by the sheet's name. */
export const xlsxOf = (sheets: Record<string, readonly (readonly Cell[])[]>): Uint8Array =>
  workbookOf(Object.fromEntries(Object.entries(sheets).map(([name, rows]) => [name, rows.map(rowXml).join("")])));

/** Returns the styles of a workbook whose cells have these number formats by their style: ids, or codes of its own. */
export function stylesOf(...formats: readonly (number | string)[]): string {
  const idOf = (format: number | string, at: number) => (typeof format === "number" ? format : 170 + at);
  const codes = formats.map((format, at) =>
    typeof format === "number" ? "" : `<numFmt numFmtId="${idOf(format, at)}" formatCode='${format}'/>`,
  );
  const styles = formats.map((format, at) => `<xf numFmtId="${idOf(format, at)}"/>`);
  return `<styleSheet><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${styles.join("")}</cellXfs></styleSheet>`;
}

/**
 * Returns a workbook of these sheets: XML of the rows by the sheet's name.
 * @param more further files of its archive, or others instead of these
 */
export function workbookOf(sheets: Record<string, string>, more: Record<string, string> = {}): Uint8Array {
  const names = Object.keys(sheets);
  const sheetOf = (name: string, at: number) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`;
  return zipOf({
    "xl/workbook.xml": `<workbook xmlns:r="${RELATIONSHIPS}"><sheets>${names.map(sheetOf).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relationships(
      ...names.map((_, at) => ({ id: `rId${at + 1}`, type: "worksheet", target: `worksheets/sheet${at + 1}.xml` })),
      { id: "styles", type: "styles", target: "styles.xml" },
    ),
    // The second format is a date.
    "xl/styles.xml": stylesOf(0, 14),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  });
}

/** `ncx`, `nav`: table of contents of EPUB 2 and 3. `folder`: of the package, with its slash. `more`: further files. */
export type EpubExtras = { ncx?: string; nav?: string; folder?: string; more?: Record<string, string> };

/** Returns a book of these documents, in their order. Their addresses may be percent-encoded. */
export function epubOf(
  documents: Record<string, string>,
  { ncx, nav, folder = "", more = {} }: EpubExtras = {},
): Uint8Array {
  const ids = Object.keys(documents).map((href, at) => ({ href, id: `d${at}` }));
  const items = [
    ...ids.map(({ href, id }) => `<item id="${id}" href="${href}" media-type="application/xhtml+xml"/>`),
    ncx === undefined ? "" : '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
    nav === undefined ? "" : '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
  ];
  const spine = ids.map(({ id }) => `<itemref idref="${id}"/>`);
  const files = Object.entries(documents).map(([href, content]) => [folder + decodeURIComponent(href), content]);
  return zipOf({
    mimetype: "application/epub+zip",
    // Against the order of the spine.
    ...Object.fromEntries(files.toReversed()),
    "META-INF/container.xml": `<container><rootfiles><rootfile full-path="${folder}book.opf"/></rootfiles></container>`,
    [`${folder}book.opf`]: `<opf:package><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></opf:package>`,
    ...(ncx !== undefined && { [`${folder}toc.ncx`]: ncx }),
    ...(nav !== undefined && { [`${folder}nav.xhtml`]: nav }),
    ...more,
  });
}
