import { BrokenDocument, EncryptedDocument } from "../../document-text.ts";
import { attributeOf } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";

const CONTENT = "content.xml";
const STYLES = "styles.xml";
const MANIFEST = "META-INF/manifest.xml";

/** An element stands for up to this many blanks, because a file of one element could ask for a billion. */
const MAX_BLANKS = 100;

/** Entries of an OpenDocument file that have its text, also that of its charts. */
export const isOpenDocumentEntry = (name: string): boolean =>
  name === STYLES || name === MANIFEST || name === CONTENT || name.endsWith(`/${CONTENT}`);

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

/** Returns the XML of the styles that the whole file shares, "" if there are none. */
export const openDocumentStyles = (entries: ZipEntries): string => decodeXml(entries.get(STYLES) ?? new Uint8Array());

/** Returns the number of blanks for which an element stands. */
export const blanksOf = (attributes: string): number =>
  Math.min(countOf(attributeOf(attributes, "text:c")), MAX_BLANKS);

/** Returns the number of equal rows or cells for which an element stands. */
export function countOf(value: string | undefined): number {
  const count = Number(value ?? 1);
  return Number.isInteger(count) && count > 0 ? count : 1;
}

/** Elements whose text is no text of a document: changes before they were accepted, and readings of East Asian words. */
const skipped: ReadonlySet<string> = new Set(["text:tracked-changes", "table:tracked-changes", "text:ruby-text"]);

/** Whether an element and its content are left out: also of sections that are hidden. */
export const isLeftOut = (name: string, attributes: string): boolean =>
  skipped.has(name) || (name === "text:section" && attributeOf(attributes, "text:display") === "none");
