import { BrokenDocument } from "../../document-text.ts";
import { TextBuilder } from "../../text-builder.ts";
import { addLines, type EmbeddedText, embeddedReader } from "../charts/embedded-text.ts";
import { mainPathOf, relationshipsOf } from "../relationships.ts";
import { attributeOf, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";

/** Entries of a presentation that have its text. */
export const isSlidesEntry = (name: string): boolean =>
  /^(?:_rels\/\.rels|ppt\/(?:(?:_rels|slides|slides\/_rels|notesSlides|charts|diagrams)\/)?[^/]*\.(?:xml|rels))$/.test(
    name,
  );

/**
 * Returns the text of a presentation: its slides in their order, each below `[Slide 1]`, with its notes behind.
 * @throws BrokenDocument if there is no presentation in it
 */
export function slidesText(entries: ZipEntries): string {
  const path = mainPathOf(entries, "ppt/presentation.xml");
  const presentation = entries.get(path);
  if (!presentation) throw new BrokenDocument("No presentation");
  const pathOf = new Map(relationshipsOf(entries, path).map(({ id, path: target }) => [id, target]));
  const text = new TextBuilder();
  for (const [at, id] of slideIds(decodeXml(presentation)).entries()) {
    const slide = pathOf.get(id);
    text.add(`${at === 0 ? "" : "\n"}[Slide ${at + 1}]\n`);
    if (slide !== undefined) addSlide(entries, slide, text);
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

function addSlide(entries: ZipEntries, path: string, text: TextBuilder): void {
  const slide = entries.get(path);
  if (slide) {
    const xml = decodeXml(slide);
    if (isHidden(xml)) text.add("[Hidden slide]\n");
    addShapes(xml, text, embeddedReader(entries, path));
  }
  const notes = relationshipsOf(entries, path).find(({ type }) => type === "notesSlide");
  const bytes = notes && entries.get(notes.path);
  if (!bytes) return;
  const noteText = new TextBuilder();
  addShapes(decodeXml(bytes), noteText);
  const note = noteText.toString();
  if (note !== "") text.add(`[Notes]\n${note}\n`);
}

/** Whether a presentation leaves out a slide, by the attribute of its root. */
function isHidden(xml: string): boolean {
  const [, attributes = ""] = /<p:sld\s([^>]*)>/.exec(xml) ?? [];
  return ["0", "false"].includes(attributeOf(attributes, "show") ?? "");
}

/**
 * Adds the text of shapes and tables: a line for a paragraph, tabs between the cells of a row.
 * @param embedded returns the text of a chart or diagram that an element shows
 */
function addShapes(xml: string, text: TextBuilder, embedded: EmbeddedText = () => ""): void {
  let textDepth = 0;
  let cellDepth = 0;
  const handler: XmlHandler = {
    isDone: () => text.isFull,
    open(name, attributes) {
      addLines(embedded(name, attributes), text);
      if (name === "a:t") textDepth++;
      else if (name === "a:tc") cellDepth++;
      else if (name === "a:p" && cellDepth > 0) text.separate(" ");
      else if (name === "a:br") text.add("\n");
    },
    close(name) {
      if (name === "a:t") textDepth--;
      else if ((name === "a:p" && cellDepth === 0) || name === "a:tr") text.endLine();
      else if (name === "a:tc") {
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

/** Whether an element is no text of a slide: its number, and the second form of drawings for old programs. */
const isSkipped = (name: string, attributes: string): boolean =>
  name === "mc:Fallback" || (name === "a:fld" && attributeOf(attributes, "type") === "slidenum");
