import { BrokenDocument } from "../../document-text.ts";
import { TextBuilder } from "../../text-builder.ts";
import { addOtherDiagrams, embeddedReader } from "../charts/embedded-text.ts";
import { marginLines } from "../marks.ts";
import { addressesOf, mainPathOf, relationshipsOf } from "../relationships.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";
import { wordComments } from "./word-comments.ts";
import { addContent, type WordParts } from "./word-content.ts";
import { WordNumbering } from "./word-numbering.ts";
import { WordStyles } from "./word-properties.ts";

/** Entries of a Word document that have its text. */
export const isWordEntry = (name: string): boolean => /^(?:_rels\/\.rels|word\/.*\.(?:xml|rels))$/.test(name);

/**
 * Returns the text of a Word document: a line for a paragraph, tabs between the cells of a row, headings and notes as in
 * Markdown, the numbers of lists as Word computes them, targets of links behind their text, and comments where they are
 * referred to. Headers are above the text; notes and footers are below it, each once. Deleted and hidden text is left
 * out.
 * @throws BrokenDocument if there is no document in it
 */
export function wordText(entries: ZipEntries): string {
  const path = mainPathOf(entries, "word/document.xml");
  if (!entries.has(path)) throw new BrokenDocument("No document");
  const related = relationshipsOf(entries, path);
  const pathsOf = (type: string) => related.filter((found) => found.type === type).map((found) => found.path);
  const xmlOf = (file: string) => decodeXml(entries.get(file) ?? new Uint8Array());
  const relatedXml = (type: string) => xmlOf(pathsOf(type)[0] ?? `word/${type}.xml`);
  const parts: WordParts = {
    styles: new WordStyles(relatedXml("styles")),
    numbering: new WordNumbering(relatedXml("numbering")),
    comments: wordComments(relatedXml("comments")),
  };
  const addFile = (file: string, text: TextBuilder) => {
    const shown = new Set<string>();
    const context = { embedded: embeddedReader(entries, file, shown), addresses: addressesOf(entries, file) };
    addContent({ xml: xmlOf(file), ...context }, parts, text);
    addOtherDiagrams(entries, { path: file, shown }, text);
  };
  const margins = (type: "header" | "footer") =>
    pathsOf(type).map((file) => {
      const margin = new TextBuilder();
      addFile(file, margin);
      return margin.toString();
    });
  const text = new TextBuilder();
  const headers = marginLines("Header", margins("header"));
  if (headers !== "") text.add(`${headers}\n`);
  addFile(path, text);
  for (const type of ["footnotes", "endnotes"]) addFile(pathsOf(type)[0] ?? `word/${type}.xml`, text);
  text.endLine();
  text.add(marginLines("Footer", margins("footer")));
  return text.toString();
}
