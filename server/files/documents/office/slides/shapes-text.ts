import type { TextBuilder } from "../../text-builder.ts";
import { addLines, type EmbeddedText } from "../charts/embedded-text.ts";
import { pictureMark, targetMark } from "../marks.ts";
import { attributeOf, scanXml, withoutElements } from "../scan-xml.ts";
import { TableText } from "../table-text.ts";
import { SlideNumbers, type SlideParagraph } from "./slide-numbers.ts";

/** What a file of a slide refers to. `embedded`: texts of charts and diagrams; `addresses`: targets of links. */
export type SlideFile = { embedded: EmbeddedText; addresses: ReadonlyMap<string, string> };

/** In UTF-16 units: more of a link's text is not compared with its target. */
const MAX_SHOWN = 4000;

/** Whether an element is no text of a slide: its number, and the second form of drawings for old programs. */
const isSkipped = (name: string, attributes: string): boolean =>
  name === "mc:Fallback" || (name === "a:fld" && attributeOf(attributes, "type") === "slidenum");

/**
 * Adds the text of shapes and tables: a line for a paragraph with its number, tabs between the cells of a row, and targets
 * of links behind their text.
 */
export function addShapes(xml: string, file: SlideFile, text: TextBuilder): void {
  const shapes = new ShapesText(file, text);
  const handler = {
    isDone: () => text.isFull,
    open: (name: string, attributes: string) => shapes.open(name, attributes),
    close: (name: string) => shapes.close(name),
    text: (characters: string) => shapes.text(characters),
  };
  scanXml(xml, withoutElements(handler, isSkipped));
}

class ShapesText {
  readonly #file: SlideFile;
  readonly #text: TextBuilder;
  readonly #tables = new TableText();
  readonly #numbers = new SlideNumbers();
  #textDepth = 0;
  /** A paragraph whose text is still to come. */
  #paragraph: SlideParagraph | undefined;
  /** Runs of one link follow each other. */
  #link: { target: string | undefined; shown: string } | undefined;
  /** Target of the run. */
  #target: string | undefined;

  constructor(file: SlideFile, text: TextBuilder) {
    this.#file = file;
    this.#text = text;
  }

  open(name: string, attributes: string): void {
    const text = this.#text;
    addLines(this.#file.embedded(name, attributes), text);
    if (name === "a:t") this.#startText();
    else if (name === "a:r" || name === "a:fld") this.#target = undefined;
    else if (name === "a:hlinkClick") this.#target = this.#file.addresses.get(attributeOf(attributes, "r:id") ?? "");
    else if (name === "a:tbl") this.#tables.openTable(text);
    else if (name === "a:tr") this.#tables.openRow(text);
    else if (name === "a:tc") this.#tables.openCell(text);
    else if (name === "a:p") {
      this.#tables.openParagraph(text);
      this.#paragraph = { level: 0, type: undefined, start: 1 };
    } else if (name === "a:br") this.#tables.breakLine(text);
    else if (name.endsWith(":txBody")) this.#numbers.reset();
    else if (name === "p:cNvPr") addLines(pictureMark(attributeOf(attributes, "descr")), text);
    else if (this.#paragraph) readParagraph(this.#paragraph, name, attributes);
  }

  close(name: string): void {
    const text = this.#text;
    if (name === "a:t") this.#textDepth--;
    else if (name === "a:p") {
      this.#endLink();
      [this.#target, this.#paragraph] = [undefined, undefined];
      if (!this.#tables.isInCell) text.endLine();
    } else if (name === "a:tr") this.#tables.closeRow(text);
    else if (name === "a:tc") this.#tables.closeCell(text);
    else if (name === "a:tbl") this.#tables.closeTable(text);
  }

  text(characters: string): void {
    if (this.#textDepth === 0) return;
    this.#text.add(characters);
    if (this.#link && this.#link.shown.length < MAX_SHOWN) this.#link.shown += characters;
  }

  #startText(): void {
    this.#textDepth++;
    if (this.#paragraph) this.#text.add(this.#numbers.next(this.#paragraph));
    this.#paragraph = undefined;
    if (this.#link?.target === this.#target) return;
    this.#endLink();
    if (this.#target !== undefined) this.#link = { target: this.#target, shown: "" };
  }

  #endLink(): void {
    if (this.#link) this.#text.add(targetMark(this.#link.target, this.#link.shown));
    this.#link = undefined;
  }
}

/** Notes the level and number of a paragraph by an element of its properties. */
function readParagraph(paragraph: SlideParagraph, name: string, attributes: string): void {
  if (name === "a:pPr") paragraph.level = Number(attributeOf(attributes, "lvl") ?? 0);
  else if (name === "a:buAutoNum") {
    paragraph.type = attributeOf(attributes, "type") ?? "arabicPeriod";
    paragraph.start = Number(attributeOf(attributes, "startAt") ?? 1);
  }
}
