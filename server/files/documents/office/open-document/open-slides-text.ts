import { TextBuilder } from "../../text-builder.ts";
import { scanXml, withoutElements } from "../scan-xml.ts";
import type { ZipEntries } from "../zip-entries.ts";
import { openDocumentContent, skipped, textHandler } from "./odt-text.ts";

/**
 * Returns the text of an OpenDocument presentation: its slides in their order, each below `[Slide 1]`, with its notes
 * behind.
 * @throws EncryptedDocument; BrokenDocument if there is no content in it
 */
export function odpText(entries: ZipEntries): string {
  const text = new TextBuilder();
  let notes = new TextBuilder();
  const slideHandler = textHandler(text);
  let handler = slideHandler;
  let slides = 0;
  const slidesHandler = {
    isDone: () => text.isFull,
    open(name: string, attributes: string) {
      if (name === "draw:page") {
        slides++;
        text.endLine();
        text.add(`\n[Slide ${slides}]\n`);
      } else if (name === "presentation:notes") {
        notes = new TextBuilder();
        handler = textHandler(notes);
      } else handler.open(name, attributes);
    },
    close(name: string) {
      if (name !== "presentation:notes") {
        handler.close(name);
        return;
      }
      handler = slideHandler;
      const note = notes.toString();
      text.endLine();
      if (note !== "") text.add(`[Notes]\n${note}\n`);
    },
    text: (characters: string) => handler.text(characters),
  };
  scanXml(
    openDocumentContent(entries),
    withoutElements(slidesHandler, (name) => skipped.has(name) || name === "style:master-page"),
  );
  return text.toString();
}
