import { TextBuilder } from "../../text-builder.ts";
import { commentLine } from "../marks.ts";
import { attributeOf, scanAddition, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import type { ZipEntries } from "../zip-entries.ts";
import { openContentHandler } from "./open-content.ts";
import { isLeftOut, openDocumentContent, openDocumentStyles } from "./open-document.ts";
import { openObjects } from "./open-objects.ts";
import { OpenStyles } from "./open-styles.ts";

/**
 * Returns the text of an OpenDocument presentation: its slides in their order, each below `[Slide 1]`, with its notes and
 * comments behind.
 * @throws EncryptedDocument; BrokenDocument if there is no content in it
 */
export function odpText(entries: ZipEntries): string {
  const content = openDocumentContent(entries);
  const styles = new OpenStyles();
  const readStyle = (name: string, attributes: string) => styles.read(name, attributes);
  scanAddition(openDocumentStyles(entries), { open: readStyle, close: () => undefined, text: () => undefined });
  const text = new TextBuilder();
  let comments: string[] = [];
  const file = {
    styles,
    objectText: openObjects(entries),
    onComment: ({ author, words }: { author: string; words: string }) => comments.push(commentLine(author, words)),
  };
  let notes: TextBuilder | undefined;
  let handler = openContentHandler(text, file);
  let slides = 0;
  const openSlide = (attributes: string) => {
    slides++;
    text.endLine();
    text.add(`\n[Slide ${slides}]\n`);
    if (styles.hiddenPages.has(attributeOf(attributes, "draw:style-name") ?? "")) text.add("[Hidden slide]\n");
    handler = openContentHandler(text, file);
  };
  const closeSlide = () => {
    const note = notes?.toString() ?? "";
    const shown = comments.filter((line) => line !== "");
    text.endLine();
    if (note !== "") text.add(`[Notes]\n${note}\n`);
    if (shown.length > 0) text.add(`[Comments]\n${shown.join("\n")}\n`);
    [notes, comments] = [undefined, []];
  };
  const slidesHandler: XmlHandler = {
    isDone: () => handler.isDone?.() === true,
    open(name, attributes) {
      readStyle(name, attributes);
      if (name === "draw:page") openSlide(attributes);
      else if (name === "presentation:notes") {
        notes = new TextBuilder();
        handler = openContentHandler(notes, file);
      } else handler.open(name, attributes);
    },
    close(name) {
      if (name === "draw:page") closeSlide();
      else if (name === "presentation:notes") handler = openContentHandler(text, file);
      else handler.close(name);
    },
    text: (characters) => handler.text(characters),
  };
  scanXml(
    content,
    withoutElements(slidesHandler, (name, attributes) => isLeftOut(name, attributes) || name === "style:master-page"),
  );
  // The limit may end the scan within a slide.
  closeSlide();
  return text.toString();
}
