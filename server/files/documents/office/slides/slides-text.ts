import { BrokenDocument } from "../../document-text.ts";
import { TextBuilder } from "../../text-builder.ts";
import { addLines, addOtherDiagrams, type EmbeddedText, embeddedReader } from "../charts/embedded-text.ts";
import { pictureMark, targetMark } from "../marks.ts";
import { addressesOf, mainPathOf, relationshipsOf } from "../relationships.ts";
import { attributeOf, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import { TableText } from "../table-text.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";
import { type Authors, authorsOf, slideComments } from "./slide-comments.ts";

/** In UTF-16 units: more of a link's text is not compared with its target. */
const MAX_SHOWN = 4000;

/** Entries of a presentation that have its text. */
export const isSlidesEntry = (name: string): boolean =>
  /^(?:_rels\/\.rels|ppt\/(?:(?:_rels|slides|slides\/_rels|notesSlides|notesSlides\/_rels|comments|charts|diagrams)\/)?[^/]*\.(?:xml|rels))$/.test(
    name,
  );

/**
 * Returns the text of a presentation: its slides in their order, each below `[Slide 1]`, with its notes and comments
 * behind.
 * @throws BrokenDocument if there is no presentation in it
 */
export function slidesText(entries: ZipEntries): string {
  const path = mainPathOf(entries, "ppt/presentation.xml");
  const presentation = entries.get(path);
  if (!presentation) throw new BrokenDocument("No presentation");
  const related = relationshipsOf(entries, path);
  const pathOf = new Map(related.map(({ id, path: target }) => [id, target]));
  const authors = authorsOf(entries, related);
  const text = new TextBuilder();
  for (const [at, id] of slideIds(decodeXml(presentation)).entries()) {
    const slide = pathOf.get(id);
    text.add(`${at === 0 ? "" : "\n"}[Slide ${at + 1}]\n`);
    if (slide !== undefined) addSlide(entries, slide, authors, text);
    if (text.isFull) break;
  }
  return text.toString();
}

/** Returns the ids of the slides' relationships, in the order of the slides. */
function slideIds(xml: string): string[] {
  const ids: string[] = [];
  scanXml(xml, {
    open(name, attributes) {
      if (name === "p:sldId") ids.push(attributeOf(attributes, "r:id") ?? "");
    },
    close: () => undefined,
    text: () => undefined,
  });
  return ids;
}

function addSlide(entries: ZipEntries, path: string, authors: Authors, text: TextBuilder): void {
  const slide = entries.get(path);
  const related = relationshipsOf(entries, path);
  if (slide) {
    const xml = decodeXml(slide);
    if (isHidden(xml)) text.add("[Hidden slide]\n");
    const shown = new Set<string>();
    addShapes(xml, { embedded: embeddedReader(entries, path, shown), addresses: addressesOf(entries, path) }, text);
    addOtherDiagrams(entries, { path, shown }, text);
  }
  const notes = related.find(({ type }) => type === "notesSlide");
  const bytes = notes && entries.get(notes.path);
  if (notes && bytes) {
    const noteText = new TextBuilder();
    addShapes(decodeXml(bytes), { embedded: () => "", addresses: addressesOf(entries, notes.path) }, noteText);
    const note = noteText.toString();
    text.endLine();
    if (note !== "") text.add(`[Notes]\n${note}\n`);
  }
  text.endLine();
  text.add(slideComments(entries, related, authors));
}

/** Whether a presentation leaves out a slide, by the attribute of its root. */
function isHidden(xml: string): boolean {
  const [, attributes = ""] = /<p:sld\s([^>]*)>/.exec(xml) ?? [];
  return ["0", "false"].includes(attributeOf(attributes, "show") ?? "");
}

/** What a file of a slide refers to. `embedded`: texts of charts and diagrams; `addresses`: targets of links. */
type SlideFile = { embedded: EmbeddedText; addresses: ReadonlyMap<string, string> };

/**
 * Adds the text of shapes and tables: a line for a paragraph, tabs between the cells of a row, and targets of links behind
 * their text.
 */
function addShapes(xml: string, { embedded, addresses }: SlideFile, text: TextBuilder): void {
  const tables = new TableText();
  let textDepth = 0;
  /** Runs of one link follow each other. */
  let link: { target: string | undefined; shown: string } | undefined;
  let target: string | undefined;
  const endLink = () => {
    if (link) text.add(targetMark(link.target, link.shown));
    link = undefined;
  };
  const startText = () => {
    textDepth++;
    if (link?.target === target) return;
    endLink();
    if (target !== undefined) link = { target, shown: "" };
  };
  const handler: XmlHandler = {
    isDone: () => text.isFull,
    open(name, attributes) {
      addLines(embedded(name, attributes), text);
      if (name === "a:t") startText();
      else if (name === "a:r" || name === "a:fld") target = undefined;
      else if (name === "a:hlinkClick") target = addresses.get(attributeOf(attributes, "r:id") ?? "");
      else if (name === "a:tbl") tables.openTable(text);
      else if (name === "a:tr") tables.openRow(text);
      else if (name === "a:tc") tables.openCell(text);
      else if (name === "a:p") tables.openParagraph(text);
      else if (name === "a:br") tables.breakLine(text);
      else if (name === "p:cNvPr") addLines(pictureMark(attributeOf(attributes, "descr")), text);
    },
    close(name) {
      if (name === "a:t") textDepth--;
      else if (name === "a:p") {
        endLink();
        target = undefined;
        if (!tables.isInCell) text.endLine();
      } else if (name === "a:tr") tables.closeRow(text);
      else if (name === "a:tc") tables.closeCell(text);
      else if (name === "a:tbl") tables.closeTable(text);
    },
    text(characters) {
      if (textDepth === 0) return;
      text.add(characters);
      if (link && link.shown.length < MAX_SHOWN) link.shown += characters;
    },
  };
  scanXml(xml, withoutElements(handler, isSkipped));
}

/** Whether an element is no text of a slide: its number, and the second form of drawings for old programs. */
const isSkipped = (name: string, attributes: string): boolean =>
  name === "mc:Fallback" || (name === "a:fld" && attributeOf(attributes, "type") === "slidenum");
