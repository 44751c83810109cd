import type { TextBuilder } from "../../text-builder.ts";
import { BoundedStack } from "../bounded-stack.ts";
import { addLines, type EmbeddedText } from "../charts/embedded-text.ts";
import { headingMark, pictureMark, targetMark } from "../marks.ts";
import { attributeOf, scanXml, withoutElements } from "../scan-xml.ts";
import { symbolOf, symbolsOf } from "../symbol-fonts.ts";
import { TableText } from "../table-text.ts";
import type { WordNumbering } from "./word-numbering.ts";
import { headingLevelOf, type Properties, readProperty, type WordStyles } from "./word-properties.ts";

/** What all files of a Word document share. `comments`: marks by id. */
export type WordParts = { styles: WordStyles; numbering: WordNumbering; comments: ReadonlyMap<string, string> };

/** `embedded`: texts of charts and diagrams; `addresses`: targets of links by the ids of their references. */
export type WordFile = { xml: string; embedded: EmbeddedText; addresses: ReadonlyMap<string, string> };

/** Elements without text: deleted text, readings of East Asian words, properties before a change, and the second form of drawings for old programs. */
const skipped: ReadonlySet<string> = new Set([
  ...["w:tblPr", "w:trPr", "w:tcPr", "w:sdtPr", "w:sectPr", "w:pPrChange", "w:rPrChange"],
  ...["w:del", "w:moveFrom", "w:rt", "mc:Fallback"],
]);
/** Marks of a deleted end of a paragraph, in its properties. */
const deletions: ReadonlySet<string> = new Set(["w:del", "w:moveFrom"]);
/** Elements whose characters are text; `m:t` is of formulas. */
const textual: ReadonlySet<string> = new Set(["w:t", "m:t"]);
const characters: Readonly<Record<string, string>> = { "w:tab": "\t", "w:ptab": "\t", "w:noBreakHyphen": "\u2011" };
/** Elements that show a picture or drawing, and the attributes that describe it. */
const described: Readonly<Record<string, readonly string[]>> = {
  "wp:docPr": ["descr", "title"],
  "v:shape": ["alt"],
  "v:rect": ["alt"],
};

const notes = [
  { element: "w:footnote", reference: "w:footnoteReference", prefix: "" },
  { element: "w:endnote", reference: "w:endnoteReference", prefix: "e" },
] as const;

/** Adds the text of a file of a Word document. Hidden text is left out. */
export function addContent({ xml, ...file }: WordFile, parts: WordParts, text: TextBuilder): void {
  const content = new WordContent(file, parts, text);
  const handler = {
    isDone: () => text.isFull,
    open: (name: string, attributes: string) => content.open(name, attributes),
    close: (name: string) => content.close(name),
    text: (characters: string) => content.text(characters),
  };
  scanXml(
    xml,
    withoutElements(handler, (name) => skipped.has(name) && !(content.isInProperties && deletions.has(name))),
  );
}

/** `isBegun`: its number and text follow its properties. */
type Paragraph = { properties: Properties; isBegun: boolean };
/** A link by its element or by a field. `shown`: its text up to a length; `code`: of a field, from which its target is; `isCode`: its result has not begun. */
type Link = { target: string | undefined; shown: string; code: string; isCode?: boolean };

/** In UTF-16 units: more of a link's text or of a field's code is not compared. */
const MAX_LINK = 4000;
/** The address may be in quotes. Switches begin with a backslash; a link within the document has only these. */
const LINK_FIELD = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]\S*))/i;

const addressIn = (code: string): string | undefined => {
  const [, quoted, plain] = LINK_FIELD.exec(code) ?? [];
  return quoted ?? plain;
};

/** Properties of a run without any: an object for each of millions of runs would fill the heap. */
const NONE: Properties = Object.freeze({});

class WordContent {
  readonly #file: Omit<WordFile, "xml">;
  readonly #parts: WordParts;
  readonly #text: TextBuilder;
  readonly #tables = new TableText();
  readonly #paragraphs = new BoundedStack<Paragraph>();
  readonly #links = new BoundedStack<Link>();
  readonly #fields = new BoundedStack<Link>();
  #run: Properties = NONE;
  #textDepth = 0;
  #isCode = false;
  /** Number of the open fields whose result has not begun: the results of fields within their codes are not shown. */
  #codes = 0;
  #inParagraphProperties = false;
  #inRunProperties = false;

  constructor(file: Omit<WordFile, "xml">, parts: WordParts, text: TextBuilder) {
    this.#file = file;
    this.#parts = parts;
    this.#text = text;
  }

  get isInProperties(): boolean {
    return this.#inParagraphProperties || this.#inRunProperties;
  }

  open(name: string, attributes: string): void {
    const paragraph = this.#paragraphs.top;
    if (this.#inParagraphProperties) readProperty(paragraph?.properties ?? {}, name, attributes);
    else if (this.#inRunProperties) readProperty(this.#run, name, attributes);
    else if (name === "w:pPr") this.#inParagraphProperties = true;
    else if (name === "w:rPr") {
      this.#inRunProperties = true;
      this.#run = {};
    } else if (textual.has(name)) this.#textDepth++;
    else if (name === "w:r" || name === "m:r") this.#run = NONE;
    else if (name === "w:p") this.#openParagraph();
    else if (!this.#openField(name, attributes)) this.#openOther(name, attributes);
  }

  close(name: string): void {
    if (name === "w:pPr") this.#inParagraphProperties = false;
    else if (this.#inParagraphProperties) return;
    else if (name === "w:rPr") this.#inRunProperties = false;
    else if (textual.has(name)) this.#textDepth--;
    else if (name === "w:r") this.#run = NONE;
    else if (name === "w:p") this.#closeParagraph();
    else if (name === "w:tbl") this.#tables.closeTable(this.#text);
    else if (name === "w:tr") this.#tables.closeRow(this.#text);
    else if (name === "w:tc") this.#tables.closeCell(this.#text);
    else if (name === "w:instrText") this.#isCode = false;
    else if (name === "w:hyperlink") this.#endLink(this.#links.pop());
    else if (name === "w:fldSimple") this.#endLink(this.#fields.pop());
  }

  text(characters: string): void {
    const field = this.#fields.top;
    if (this.#textDepth > 0) this.#show(symbolsOf(characters, this.#run.font));
    else if (this.#isCode && field && field.code.length < MAX_LINK) field.code += characters;
  }

  #openParagraph(): void {
    if (this.#tables.isInCell) this.#tables.openParagraph(this.#text);
    // A paragraph in a paragraph is that of a text box.
    else if (this.#paragraphs.top) this.#text.endLine();
    this.#paragraphs.push({ properties: {}, isBegun: false });
  }

  #closeParagraph(): void {
    // A field without its end hides no further paragraph.
    this.#codes = 0;
    const paragraph = this.#paragraphs.pop();
    // An empty paragraph of a list is counted too.
    if (paragraph && !paragraph.isBegun) this.#begin(paragraph);
    if (!this.#tables.isInCell) this.#text.endLine();
  }

  /** Opens a field or link. @returns whether the element is one */
  #openField(name: string, attributes: string): boolean {
    if (name === "w:instrText") this.#isCode = true;
    else if (name === "w:hyperlink") {
      const target = this.#file.addresses.get(attributeOf(attributes, "r:id") ?? "");
      this.#links.push({ target, shown: "", code: "" });
    } else if (name === "w:fldSimple") {
      this.#fields.push({ target: addressIn(attributeOf(attributes, "w:instr") ?? ""), shown: "", code: "" });
    } else if (name === "w:fldChar") this.#changeField(attributeOf(attributes, "w:fldCharType"));
    else return false;
    return true;
  }

  #changeField(kind: string | undefined): void {
    const field = this.#fields.top;
    if (kind === "begin") {
      this.#fields.push({ target: undefined, shown: "", code: "", isCode: true });
      this.#codes++;
    } else if (kind === "separate" && field) {
      field.target = addressIn(field.code);
      this.#endCode(field);
    } else if (kind === "end") {
      const ended = this.#fields.pop();
      if (ended) this.#endCode(ended);
      this.#endLink(ended);
    }
  }

  #endCode(field: Link): void {
    if (field.isCode) this.#codes = Math.max(0, this.#codes - 1);
    field.isCode = false;
  }

  #endLink(link: Link | undefined): void {
    // A link without a text that is shown is hidden.
    if (link && link.shown !== "") this.#text.add(targetMark(link.target, link.shown));
  }

  #openOther(name: string, attributes: string): void {
    const text = this.#text;
    if (name === "w:tbl") this.#tables.openTable(text);
    else if (name === "w:tr") this.#tables.openRow(text);
    else if (name === "w:tc") this.#tables.openCell(text);
    else if (name === "w:br" || name === "w:cr") this.#breakLine();
    else if (name === "w:commentReference") {
      this.#add(this.#parts.comments.get(attributeOf(attributes, "w:id") ?? "") ?? "");
    } else if (name === "w:sym") {
      const [font = "", code = ""] = ["w:font", "w:char"].map((key) => attributeOf(attributes, key));
      this.#show(symbolOf(font, code));
    } else if (described[name]) this.#showPicture(described[name], attributes);
    else {
      addLines(this.#file.embedded(name, attributes), text);
      this.#show(characters[name] ?? noteMarkOf(name, attributes));
    }
  }

  #breakLine(): void {
    if (this.#isHidden) return;
    this.#tables.breakLine(this.#text);
  }

  #showPicture(keys: readonly string[], attributes: string): void {
    const mark = pictureMark(keys.map((key) => attributeOf(attributes, key)).find((words) => (words ?? "") !== ""));
    if (mark === "" || this.#isHidden) return;
    this.#add("");
    this.#text.separate(" ");
    this.#show(`${mark} `);
  }

  /** Adds characters of a run, unless they are hidden. */
  #show(shown: string): void {
    if (shown === "" || this.#isHidden || this.#codes > 0) return;
    this.#add(shown);
    for (const link of [this.#links.top, this.#fields.top])
      if (link && link.shown.length < MAX_LINK) link.shown += shown;
  }

  /** Adds characters behind the mark and number of their paragraph. */
  #add(shown: string): void {
    const paragraph = this.#paragraphs.top;
    if (paragraph && !paragraph.isBegun) this.#text.add(this.#begin(paragraph));
    this.#text.add(shown);
  }

  /** Counts a paragraph. @returns what precedes its text: the mark of a heading and the number of a list */
  #begin(paragraph: Paragraph): string {
    const { styles, numbering } = this.#parts;
    const { properties: own } = paragraph;
    paragraph.isBegun = true;
    if (own.isDeleted || own.isHidden) return "";
    const style = styles.ofParagraph(own.style);
    const heading = this.#tables.isInCell ? undefined : headingLevelOf(own, style);
    const numId = own.numId ?? style.numId;
    const number = numId === undefined ? "" : numbering.next(numId, own.level ?? style.level, own.style);
    return `${heading === undefined ? "" : headingMark(heading)}${number === "" ? "" : `${number} `}`;
  }

  get #isHidden(): boolean {
    const { styles } = this.#parts;
    const { isHidden, style } = this.#run;
    if (isHidden !== undefined) return isHidden;
    const paragraph = styles.ofParagraph(this.#paragraphs.top?.properties.style);
    // Both styles together show the text again (ECMA-376 part 1, 17.7.3).
    return (paragraph.isHidden === true) !== (styles.of(style).isHidden === true);
  }
}

/** Returns the mark of a note, at its reference and before its text. */
function noteMarkOf(name: string, attributes: string): string {
  for (const { element, reference, prefix } of notes) {
    // Separators between text and notes have a type.
    const isNote = name === element && attributeOf(attributes, "w:type") === undefined;
    if (isNote || name === reference) return `[^${prefix}${attributeOf(attributes, "w:id") ?? ""}]${isNote ? ":" : ""}`;
  }
  return "";
}
