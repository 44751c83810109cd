import { TextBuilder } from "../../text-builder.ts";
import { marginLines } from "../marks.ts";
import { attributeOf, scanAddition, scanXml, withoutElements, type XmlHandler } from "../scan-xml.ts";
import type { ZipEntries } from "../zip-entries.ts";
import { type OpenFile, openContentHandler } from "./open-content.ts";
import { isLeftOut, openDocumentContent, openDocumentStyles } from "./open-document.ts";
import { openObjects } from "./open-objects.ts";
import { OpenStyles } from "./open-styles.ts";

/**
 * Returns the text of an OpenDocument text: a line for a paragraph, tabs between the cells of a row, headings as in
 * Markdown, numbers of lists, and targets of links, notes and comments where they are referred to. Headers are above the
 * text and footers below it, each once.
 * @throws EncryptedDocument; BrokenDocument if there is no text in it
 */
export function odtText(entries: ZipEntries): string {
  const content = openDocumentContent(entries);
  const file: OpenFile = { styles: new OpenStyles(), objectText: openObjects(entries) };
  const margins = readMargins(openDocumentStyles(entries), file);
  const text = new TextBuilder();
  const headers = marginLines("Header", margins.header);
  if (headers !== "") text.add(`${headers}\n`);
  const { styles } = file;
  const handler = openContentHandler(text, file);
  const withStyles: XmlHandler = {
    ...handler,
    open(name, attributes) {
      styles.read(name, attributes);
      handler.open(name, attributes);
    },
  };
  scanXml(content, withoutElements(withStyles, isLeftOut));
  text.endLine();
  text.add(marginLines("Footer", margins.footer));
  return text.toString();
}

type Margins = { header: string[]; footer: string[] };
const MARGIN = /^style:(header|footer)(?:-left|-first)?$/;

/** Reads the styles that a whole file shares, and its headers and footers. */
function readMargins(xml: string, file: OpenFile): Margins {
  const margins: Margins = { header: [], footer: [] };
  let margin: { text: TextBuilder; handler: XmlHandler } | undefined;
  const handler: XmlHandler = {
    open(name, attributes) {
      if (margin) margin.handler.open(name, attributes);
      else if (MARGIN.test(name)) {
        const text = new TextBuilder();
        margin = { text, handler: openContentHandler(text, file) };
      } else file.styles.read(name, attributes);
    },
    close(name) {
      const [, kind] = MARGIN.exec(name) ?? [];
      if (margin && (kind === "header" || kind === "footer")) {
        margins[kind].push(margin.text.toString());
        margin = undefined;
      } else margin?.handler.close(name);
    },
    text: (characters) => margin?.handler.text(characters),
  };
  const isOff = (name: string, attributes: string) =>
    MARGIN.test(name) && attributeOf(attributes, "style:display") === "false";
  scanAddition(
    xml,
    withoutElements(handler, (name, attributes) => isLeftOut(name, attributes) || isOff(name, attributes)),
  );
  return margins;
}
