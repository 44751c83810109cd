import { BrokenDocument } from "../../document-text.ts";
import { type CellFormat, cellFormatOf } from "../cell-format.ts";
import { mainPathOf, type Relationship, relationshipsOf } from "../relationships.ts";
import { attributeOf, localName, scanXml, withoutElements } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";

/** `path`: of its file, undefined if the archive has none. */
export type Sheet = { name: string; isHidden: boolean; path: string | undefined };

/** `strings`: shared texts of cells. `formats`: by the styles of cells. */
export type Workbook = { sheets: readonly Sheet[]; strings: readonly string[]; formats: readonly CellFormat[] };

/**
 * Reads the files that all sheets of a workbook share.
 * @throws BrokenDocument if there is no workbook
 */
export function readWorkbook(entries: ZipEntries): Workbook {
  const path = mainPathOf(entries, "xl/workbook.xml");
  const bytes = entries.get(path);
  if (!bytes) throw new BrokenDocument("No workbook");
  const related = relationshipsOf(entries, path);
  const { sheets, is1904 } = sheetsOf(decodeXml(bytes), related);
  const xmlOf = (type: string) => {
    const found = entries.get(related.find((relationship) => relationship.type === type)?.path ?? "");
    return found ? decodeXml(found) : "";
  };
  return { sheets, strings: stringsOf(xmlOf("sharedStrings")), formats: formatsOf(xmlOf("styles"), is1904) };
}

function sheetsOf(xml: string, related: readonly Relationship[]): { sheets: Sheet[]; is1904: boolean } {
  const pathOf = new Map(related.map(({ id, path }) => [id, path]));
  const sheets: Sheet[] = [];
  let is1904 = false;
  scanXml(xml, {
    open(name, attributes) {
      const element = localName(name);
      if (element === "workbookPr") is1904 = isTrue(attributeOf(attributes, "date1904"));
      if (element !== "sheet") return;
      const state = attributeOf(attributes, "state") ?? "visible";
      const path = pathOf.get(attributeOf(attributes, "r:id") ?? "");
      sheets.push({ name: attributeOf(attributes, "name") ?? "", isHidden: state !== "visible", path });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return { sheets, is1904 };
}

const isTrue = (value: string | undefined) => value === "1" || value === "true";

function stringsOf(xml: string): string[] {
  const strings: string[] = [];
  let text = "";
  let isText = false;
  const handler = {
    open: (name: string) => {
      isText = localName(name) === "t";
    },
    close(name: string) {
      isText = false;
      if (localName(name) !== "si") return;
      strings.push(unescaped(text));
      text = "";
    },
    text(characters: string) {
      if (isText) text += characters;
    },
  };
  scanXml(
    xml,
    withoutElements(handler, (name) => localName(name) === "rPh"),
  );
  return strings;
}

/** Decodes characters that XML cannot have, such as `_x0007_` (ECMA-376 part 1, 22.9.2.19). */
export const unescaped = (text: string): string =>
  text.replaceAll(/_x([\da-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Returns the formats of cells by their style. Each is prepared once, because styles share them. */
function formatsOf(xml: string, is1904: boolean): CellFormat[] {
  const codes = new Map<number, string>();
  const ids: number[] = [];
  let isCellStyle = false;
  scanXml(xml, {
    open(name, attributes) {
      const element = localName(name);
      if (element === "numFmt") {
        codes.set(Number(attributeOf(attributes, "numFmtId")), attributeOf(attributes, "formatCode") ?? "");
      } else if (element === "cellXfs") isCellStyle = true;
      else if (element === "xf" && isCellStyle) ids.push(Number(attributeOf(attributes, "numFmtId") ?? 0));
    },
    close(name) {
      if (localName(name) === "cellXfs") isCellStyle = false;
    },
    text: () => undefined,
  });
  const prepared = new Map<number, CellFormat>();
  return ids.map((id) => {
    const format = prepared.get(id) ?? cellFormatOf(id, codes.get(id), is1904);
    prepared.set(id, format);
    return format;
  });
}
