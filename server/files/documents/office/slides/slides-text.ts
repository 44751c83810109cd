import { BrokenDocument } from "../../document-text.ts";
import { TextBuilder } from "../../text-builder.ts";
import { addOtherDiagrams, embeddedReader } from "../charts/embedded-text.ts";
import { addressesOf, mainPathOf, relationshipsOf } from "../relationships.ts";
import { attributeOf, scanXml } from "../scan-xml.ts";
import { decodeXml, type ZipEntries } from "../zip-entries.ts";
import { addShapes } from "./shapes-text.ts";
import { type Authors, authorsOf, slideComments } from "./slide-comments.ts";

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
