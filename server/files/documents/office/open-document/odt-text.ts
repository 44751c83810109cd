import { BrokenDocument, EncryptedDocument } from "../../document-text.ts";
import { TextBuilder } from "../../text-builder.ts";
import { attributeOf, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";

const CONTENT = "content.xml";
const MANIFEST = "META-INF/manifest.xml";
/** Elements without text of the document: deleted text, comments, and descriptions of drawings. */
export const skipped: ReadonlySet<string> = new Set([
  "text:tracked-changes",
  "office:annotation",
  "svg:title",
  "svg:desc",
]);
/** An element stands for up to this many blanks, because a file of one element could ask for a billion. */
const MAX_BLANKS = 100;

/** Entries of an OpenDocument file that have its text. */
export const isOdtEntry = (name: string): boolean => name === CONTENT || name === MANIFEST;

/**
 * Returns the text of an OpenDocument text: a line for a paragraph, tabs between the cells of a row, and notes in
 * brackets where they are referred to.
 * @throws EncryptedDocument; BrokenDocument if there is no text in it
 */
export function odtText(entries: ZipEntries): string {
  const text = new TextBuilder();
  scanXml(
    openDocumentContent(entries),
    withoutElements(textHandler(text), (name) => skipped.has(name)),
  );
  return text.toString();
}

/**
 * Returns the XML of the content of an OpenDocument file.
 * @throws EncryptedDocument; BrokenDocument if there is none
 */
export function openDocumentContent(entries: ZipEntries): string {
  // The archive of an encrypted document is readable, but its content is not.
  const manifest = entries.get(MANIFEST);
  if (manifest && decodeXml(manifest).includes(":encryption-data")) throw new EncryptedDocument();
  const content = entries.get(CONTENT);
  if (!content) throw new BrokenDocument("No content");
  return decodeXml(content);
}

/** Number of open elements of each kind. */
type Depths = { paragraph: number; cell: number; note: number };

/** Returns a handler that adds paragraphs and tables to a text. */
export function textHandler(text: TextBuilder): XmlHandler {
  const depths: Depths = { paragraph: 0, cell: 0, note: 0 };
  return {
    isDone: () => text.isFull,
    open: (name, attributes) => openElement(name, attributes, depths, text),
    close: (name) => closeElement(name, depths, text),
    text(characters) {
      // White space is as in HTML: blanks and tabs that count are elements.
      if (depths.paragraph > 0) text.add(characters.replaceAll(/\s+/g, " "));
    },
  };
}

const isParagraph = (name: string) => name === "text:p" || name === "text:h";

function openElement(name: string, attributes: string, depths: Depths, text: TextBuilder): void {
  if (isParagraph(name)) {
    // A paragraph in a paragraph is that of a text box.
    if (depths.cell > 0 || depths.note > 0) text.separate(" ");
    else if (depths.paragraph > 0) text.endLine();
    depths.paragraph++;
  } else if (name === "text:tab") text.add("\t");
  else if (name === "text:line-break") text.add("\n");
  else if (name === "text:s") text.add(" ".repeat(blanksOf(attributes)));
  else if (name === "table:table-cell") depths.cell++;
  else if (name === "text:note") {
    depths.note++;
    text.add(" [");
  }
}

function closeElement(name: string, depths: Depths, text: TextBuilder): void {
  if (isParagraph(name)) {
    depths.paragraph--;
    if (depths.cell === 0 && depths.note === 0) text.endLine();
  } else if (name === "text:note-citation") text.add(": ");
  else if (name === "text:note") {
    depths.note--;
    text.add("]");
  } else if (name === "table:table-cell") {
    depths.cell--;
    text.add("\t");
  } else if (name === "table:table-row") text.endLine();
}

/** Returns the number of blanks for which an element stands. */
export function blanksOf(attributes: string): number {
  const count = Number(attributeOf(attributes, "text:c") ?? 1);
  return Number.isInteger(count) && count > 0 ? Math.min(count, MAX_BLANKS) : 1;
}
