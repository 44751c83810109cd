import { attributeOf } from "../scan-xml.ts";
import { ListStyles } from "./open-lists.ts";

/** Styles of an OpenDocument file, read from the events of the elements of its styles. */
export class OpenStyles {
  readonly lists = new ListStyles();
  /** Styles of texts and paragraphs that are not shown. */
  readonly hiddenTexts = new Set<string>();
  /** Styles of sheets that are not shown. */
  readonly hiddenTables = new Set<string>();
  /** Styles of slides that are not shown. */
  readonly hiddenPages = new Set<string>();
  #current = "";

  read(name: string, attributes: string): void {
    if (name === "style:style") {
      this.#current = attributeOf(attributes, "style:name") ?? "";
    } else if (name === "style:text-properties") {
      if (attributeOf(attributes, "text:display") === "none") this.hiddenTexts.add(this.#current);
    } else if (name === "style:table-properties") {
      if (attributeOf(attributes, "table:display") === "false") this.hiddenTables.add(this.#current);
    } else if (name === "style:drawing-page-properties") {
      if (attributeOf(attributes, "presentation:visibility") === "hidden") this.hiddenPages.add(this.#current);
    } else this.lists.read(name, attributes);
  }
}
