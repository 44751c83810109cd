import { BrokenDocument } from "../../document-text.ts";
import { TextBuilder } from "../../text-builder.ts";
import { addLines, type EmbeddedText, embeddedReader } from "../charts/embedded-text.ts";
import { mainPathOf, type Relationship, relationshipsOf } from "../relationships.ts";
import { attributeOf, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";

/** Elements without text of the document: properties, deleted text, and the second form of drawings for old programs. */
const skipped: ReadonlySet<string> = new Set(["w:pPr", "w:rPr", "w:tblPr", "w:del", "w:moveFrom", "mc:Fallback"]);
const isSkipped = (name: string): boolean => skipped.has(name);
/** Elements whose characters are text; `m:t` is of formulas. */
const textual: ReadonlySet<string> = new Set(["w:t", "m:t"]);
const characters: Readonly<Record<string, string>> = {
  "w:tab": "\t",
  "w:ptab": "\t",
  "w:br": "\n",
  "w:cr": "\n",
  "w:noBreakHyphen": "\u2011",
};

const notes = [
  { type: "footnotes", element: "w:footnote", reference: "w:footnoteReference", prefix: "" },
  { type: "endnotes", element: "w:endnote", reference: "w:endnoteReference", prefix: "e" },
] as const;

/** Entries of a Word document that have its text. */
export const isWordEntry = (name: string): boolean => /^(?:_rels\/\.rels|word\/.*\.(?:xml|rels))$/.test(name);

/**
 * Returns the text of a Word document: a line for a paragraph, tabs between the cells of a row, and notes as in
 * Markdown at the end. Headers are above the text and footers below it, each once. Comments are left out.
 * @throws BrokenDocument if there is no document in it
 */
export function wordText(entries: ZipEntries): string {
  const path = mainPathOf(entries, "word/document.xml");
  const document = entries.get(path);
  if (!document) throw new BrokenDocument("No document");
  const text = new TextBuilder();
  const related = relationshipsOf(entries, path);
  addMargins("header", { entries, related }, text);
  addParagraphs(decodeXml(document), text, embeddedReader(entries, path));
  for (const { type } of notes) {
    const found = related.find((relationship) => relationship.type === type);
    const bytes = entries.get(found?.path ?? `word/${type}.xml`);
    if (bytes) addParagraphs(decodeXml(bytes), text);
  }
  addMargins("footer", { entries, related }, text);
  return text.toString();
}

/** A number of a page, also with that of all pages. */
const PAGE_NUMBER = /^[-–\s]*\d{0,3}(?:\s*\/\s*\d{1,3})?[-–\s]*$/;

type Files = { entries: ZipEntries; related: readonly Relationship[] };

/** Adds the headers or footers of all pages, each once. Page numbers alone are no text of the document. */
function addMargins(type: "header" | "footer", { entries, related }: Files, text: TextBuilder): void {
  const found = related.filter((relationship) => relationship.type === type);
  const margins = found.map(({ path }) => {
    const bytes = entries.get(path);
    const margin = new TextBuilder();
    if (bytes) addParagraphs(decodeXml(bytes), margin, embeddedReader(entries, path));
    return margin.toString();
  });
  for (const margin of new Set(margins)) {
    if (text.isFull || PAGE_NUMBER.test(margin)) continue;
    text.endLine();
    text.add(`[${type === "header" ? "Header" : "Footer"}]\n${margin}\n`);
  }
  if (type === "header" && !text.isEmpty) text.add("\n");
}

/** @param embedded returns the text of a chart or diagram that an element shows */
function addParagraphs(xml: string, text: TextBuilder, embedded: EmbeddedText = () => ""): void {
  let textDepth = 0;
  let cellDepth = 0;
  const handler: XmlHandler = {
    isDone: () => text.isFull,
    open(name, attributes) {
      addLines(embedded(name, attributes), text);
      if (textual.has(name)) textDepth++;
      else if (name === "w:tc") cellDepth++;
      else if (name === "w:p" && cellDepth > 0) text.separate(" ");
      else text.add(characters[name] ?? markOf(name, attributes));
    },
    close(name) {
      if (textual.has(name)) textDepth--;
      else if ((name === "w:p" && cellDepth === 0) || name === "w:tr") text.endLine();
      else if (name === "w:tc") {
        cellDepth--;
        text.add("\t");
      }
    },
    text(characters) {
      if (textDepth > 0) text.add(characters);
    },
  };
  scanXml(xml, withoutElements(handler, isSkipped));
}

/** Returns the mark of a note, at its reference and before its text. */
function markOf(name: string, attributes: string): string {
  for (const { element, reference, prefix } of notes) {
    // Separators between text and notes have a type.
    const isNote = name === element && attributeOf(attributes, "w:type") === undefined;
    if (isNote || name === reference) return `[^${prefix}${attributeOf(attributes, "w:id") ?? ""}]${isNote ? ":" : ""}`;
  }
  return "";
}
