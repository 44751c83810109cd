import { TextBuilder } from "../../text-builder.ts";
import { BoundedStack } from "../bounded-stack.ts";
import { addLines } from "../charts/embedded-text.ts";
import { commentMark, headingMark, pictureMark, targetMark } from "../marks.ts";
import { attributeOf, type XmlHandler } from "../scan-xml.ts";
import { TableText } from "../table-text.ts";
import { type Annotation, AnnotationReader } from "./open-annotation.ts";
import { blanksOf, countOf } from "./open-document.ts";
import { OpenLists } from "./open-lists.ts";
import type { ObjectText } from "./open-objects.ts";
import type { OpenStyles } from "./open-styles.ts";

/** `onComment`: receives comments; without it they are in the text. */
export type OpenFile = { styles: OpenStyles; objectText: ObjectText; onComment?: (comment: Annotation) => void };

/** Empty cells in a row of a text, which Word does not allow more of. */
const MAX_EMPTY = 63;
/** In UTF-16 units: more of a link's text is not compared with its target. */
const MAX_SHOWN = 4000;

const isParagraph = (name: string) => name === "text:p" || name === "text:h";
const isCell = (name: string) => name === "table:table-cell" || name === "table:covered-table-cell";
/** Elements that may be hidden by a style. */
const isStyled = (name: string) => isParagraph(name) || name === "text:span";
/** Descriptions of drawings. */
const isDescription = (name: string) => name === "svg:title" || name === "svg:desc";

/** Returns a handler that adds paragraphs and tables to a text. */
export function openContentHandler(text: TextBuilder, file: OpenFile): XmlHandler {
  const content = new OpenContent(text, file);
  return {
    isDone: () => content.endIfFull(),
    open: (name, attributes) => content.open(name, attributes),
    close: (name) => content.close(name),
    text: (characters) => content.text(characters),
  };
}

/** A row or cell that stands for several. `text`: of one of them. */
type Repeated = { text: TextBuilder; times: number };

class OpenContent {
  readonly #file: OpenFile;
  readonly #whole: TextBuilder;
  readonly #tables = new TableText();
  readonly #lists: OpenLists;
  readonly #annotations = new AnnotationReader();
  /** Open rows and cells; undefined for those that stand for themselves. */
  readonly #repeated = new BoundedStack<Repeated | undefined>();
  readonly #links = new BoundedStack<{ target: string | undefined; shown: string }>();
  readonly #styled = new BoundedStack<{ isHidden: boolean }>();
  /** Where text is added: the whole, or a repeated row or cell. */
  #text: TextBuilder;
  #outer: TextBuilder[] = [];
  #paragraphs = 0;
  #notes = 0;
  #hidden = 0;
  /** What precedes the text of a paragraph. */
  #prefix = "";
  #description: string | undefined;
  /** Comments that follow the text that they are about. */
  #comments = "";

  constructor(text: TextBuilder, file: OpenFile) {
    this.#whole = text;
    this.#text = text;
    this.#file = file;
    this.#lists = new OpenLists(file.styles.lists);
  }

  /** Whether the limit is exceeded. What is open in a repeated row or cell is then added once. */
  endIfFull(): boolean {
    for (let outer = this.#text.isFull ? this.#outer.pop() : undefined; outer; outer = this.#outer.pop()) {
      outer.add(this.#text.raw);
      this.#text = outer;
    }
    return this.#whole.isFull;
  }

  open(name: string, attributes: string): void {
    if (this.#annotations.open(name, attributes)) return;
    if (isStyled(name)) this.#openStyled(attributes);
    if (isParagraph(name)) this.#openParagraph(name, attributes);
    else if (isDescription(name)) this.#description = "";
    else if (name === "text:tab") this.#add("\t");
    else if (name === "text:s") this.#add(" ".repeat(blanksOf(attributes)));
    else if (name === "text:line-break") this.#tables.breakLine(this.#text);
    else if (name === "text:a") this.#links.push({ target: attributeOf(attributes, "xlink:href"), shown: "" });
    else if (name === "text:note") {
      this.#notes++;
      this.#add(" [");
    } else if (name === "draw:object")
      addLines(this.#file.objectText(attributeOf(attributes, "xlink:href")), this.#text);
    else if (name === "office:annotation-end") this.#endComments();
    else if (!this.#openTable(name, attributes)) this.#lists.open(name, attributes);
  }

  close(name: string): void {
    if (this.#annotations.isOpen) {
      const comment = this.#annotations.close(name);
      if (comment) this.#addComment(comment);
      return;
    }
    if (isParagraph(name)) this.#closeParagraph();
    else if (isDescription(name)) this.#closeDescription();
    else if (name === "text:note-citation") this.#add(": ");
    else if (name === "text:note") {
      this.#notes--;
      this.#add("]");
    } else if (name === "text:a") {
      const link = this.#links.pop();
      if (link && link.shown !== "") this.#text.add(targetMark(link.target, link.shown));
    } else if (!this.#closeTable(name)) this.#lists.close(name);
    if (isStyled(name) && this.#styled.pop()?.isHidden) this.#hidden--;
  }

  text(characters: string): void {
    if (this.#annotations.isOpen) this.#annotations.text(characters);
    else if (this.#description !== undefined) this.#description += characters;
    // White space is as in HTML: blanks and tabs that count are elements.
    else if (this.#paragraphs > 0) this.#add(characters.replaceAll(/\s+/g, " "));
  }

  #add(shown: string): void {
    if (this.#hidden > 0 || shown === "") return;
    this.#text.add(this.#prefix + shown);
    this.#prefix = "";
    const link = this.#links.top;
    if (link && link.shown.length < MAX_SHOWN) link.shown += shown;
  }

  #openStyled(attributes: string): void {
    const style = attributeOf(attributes, "text:style-name");
    const isHidden = style !== undefined && this.#file.styles.hiddenTexts.has(style);
    this.#styled.push({ isHidden });
    if (isHidden && this.#styled.top?.isHidden) this.#hidden++;
  }

  #openParagraph(name: string, attributes: string): void {
    const isInline = this.#tables.isInCell || this.#notes > 0;
    if (this.#notes > 0) this.#text.separate(" ");
    else if (this.#tables.isInCell) this.#tables.openParagraph(this.#text);
    // A paragraph in a paragraph is that of a text box.
    else if (this.#paragraphs > 0) this.#text.endLine();
    this.#paragraphs++;
    const level = name === "text:h" ? countOf(attributeOf(attributes, "text:outline-level")) : undefined;
    const item = this.#lists.nextItem();
    const number = item === "" && level !== undefined ? this.#lists.nextHeading(level) : item;
    const heading = level === undefined || isInline ? "" : headingMark(level);
    this.#prefix = `${heading}${number === "" ? "" : `${number} `}`;
  }

  #closeParagraph(): void {
    this.#endComments();
    this.#prefix = "";
    this.#paragraphs--;
    if (!this.#tables.isInCell && this.#notes === 0) this.#text.endLine();
  }

  #closeDescription(): void {
    const mark = pictureMark(this.#description);
    this.#description = undefined;
    if (mark === "") return;
    if (this.#paragraphs === 0) {
      addLines(mark, this.#text);
      return;
    }
    this.#text.separate(" ");
    this.#add(mark);
    this.#text.separate(" ");
  }

  #addComment(comment: Annotation): void {
    const { onComment } = this.#file;
    if (onComment) {
      onComment(comment);
      return;
    }
    this.#comments += commentMark(comment.author, comment.words);
    // The end of what it is about may follow, in the same paragraph as a rule.
    if (comment.name === undefined || this.#paragraphs === 0) this.#endComments();
  }

  #endComments(): void {
    const comments = this.#comments;
    this.#comments = "";
    this.#add(comments);
  }

  /** Opens a table, row or cell. @returns whether the element is one */
  #openTable(name: string, attributes: string): boolean {
    if (name === "table:table") this.#tables.openTable(this.#text);
    else if (name === "table:table-row") {
      this.#tables.openRow(this.#text);
      this.#openRepeated(attributeOf(attributes, "table:number-rows-repeated"));
    } else if (isCell(name)) {
      this.#tables.openCell(this.#text);
      this.#openRepeated(attributeOf(attributes, "table:number-columns-repeated"));
    } else return false;
    return true;
  }

  /** Closes a table, row or cell. @returns whether the element is one */
  #closeTable(name: string): boolean {
    const tables = this.#tables;
    if (name === "table:table") tables.closeTable(this.#text);
    else if (name === "table:table-row") {
      const again = (text: TextBuilder) => {
        tables.closeRow(text);
        tables.openRow(text);
      };
      this.#closeRepeated(1, again);
      tables.closeRow(this.#text);
    } else if (isCell(name)) {
      const again = (text: TextBuilder) => {
        tables.closeCell(text);
        tables.openCell(text);
      };
      this.#closeRepeated(MAX_EMPTY, again);
      tables.closeCell(this.#text);
    } else return false;
    return true;
  }

  #openRepeated(count: string | undefined): void {
    const times = countOf(count);
    const repeated = times === 1 ? undefined : { text: new TextBuilder(), times };
    this.#repeated.push(repeated);
    if (!repeated || this.#repeated.top !== repeated) return;
    this.#outer.push(this.#text);
    this.#text = repeated.text;
  }

  /** @param again ends a row or cell and begins the next one */
  #closeRepeated(maxEmpty: number, again: (text: TextBuilder) => void): void {
    const repeated = this.#repeated.pop();
    if (!repeated) return;
    const text = this.#outer.pop() ?? this.#whole;
    this.#text = text;
    const { raw } = repeated.text;
    const times = raw.trim() === "" ? Math.min(repeated.times, maxEmpty) : repeated.times;
    text.add(raw);
    for (let at = 1; at < times && !text.isFull; at++) {
      again(text);
      text.add(raw);
    }
  }
}
